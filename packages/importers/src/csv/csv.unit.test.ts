import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, readAll } from '../../test-support/read-source.ts'
import { dateOf, isAmbiguous, orderIn } from './dates.ts'
import { openCsv } from './open.ts'
import { isEmail, listOf, memberStatusOf, roleOf } from './words.ts'

const read = async (content: string | Uint8Array, name = 'members.csv') => {
  const folder = await folderWith({ [name]: content })
  const { records, unreadable, leftOut } = await readAll(await openCsv(join(folder, name), {}))
  return { ...records, unreadable: unreadable.map(({ id, reason, outcome }) => `${id}: ${reason} (${outcome})`), leftOut }
}

test('a list as Circle exports it', async () => {
  const { people, spaces, memberships, unreadable, leftOut } = await read(
    `Name,Email,Headline,Bio,Location,Website,Avatar URL,Twitter URL,Joined Date,Last Seen,Spaces,Member Tags,Role,Status
"Bauer, Ana",Ana@Example.org,Baker,"I bake
""bread""",Graz,ana.example,https://cdn.example/a.png,https://twitter.com/ana,2024-05-13T08:00:00Z,2024-06-01,"Ovens, Flour",vip,Admin,Active
Ben,ben@example.org,,,,not a site,,@ben,2024-05-14,,Flour,,Member,Inactive
`,
  )
  expect(people).toEqual([
    {
      id: 'ana@example.org',
      username: 'ana.bauer',
      email: 'ana@example.org',
      password: null,
      display_name: 'Ana Bauer',
      first_name: 'Ana',
      last_name: 'Bauer',
      short_description: 'Baker\n\nI bake\n"bread"',
      location: 'Graz',
      website: 'https://ana.example',
      avatar_url: 'https://cdn.example/a.png',
      social_links: { twitter: 'https://twitter.com/ana' },
      status: 'active',
      role: 'admin',
      last_activity: '2024-06-01 00:00:00',
      created_at: '2024-05-13 08:00:00',
    },
    {
      id: 'ben@example.org',
      username: 'ben',
      email: 'ben@example.org',
      password: null,
      display_name: 'Ben',
      first_name: 'Ben',
      status: 'suspended',
      role: 'member',
      created_at: '2024-05-14 00:00:00',
    },
  ])
  expect(spaces.map(({ id, privacy }) => [id, privacy])).toEqual([
    ['ovens', 'secret'],
    ['flour', 'secret'],
  ])
  expect(memberships.map(({ space, person }) => [space, person])).toEqual([
    ['ovens', 'ana@example.org'],
    ['flour', 'ana@example.org'],
    ['flour', 'ben@example.org'],
  ])
  expect(unreadable).toEqual(['4: “not a site” was dropped: it is not a URL (noted)', '4: “@ben” was dropped: it is not a URL (noted)'])
  expect(leftOut).toEqual({ 'values of the column “Member Tags”': 1 })
})

test('a list as Skool exports it, in UTF-16 with tabs', async () => {
  const { people, leftOut } = await read(
    Buffer.from(
      '\ufeffFirstName\tLastName\tEmail\tInvited By\tJoinedDate\tQuestion1\tAnswer1\tLTV\nAna\tBauer\tana@example.org\tBen\t05/13/2024\tWhy?\tBread\t$0\nÜmit\tÖz\tumit@example.org\t\t5/3/2024\t\t\t\n',
      'utf16le',
    ),
  )
  expect(people.map(({ username, first_name, last_name, created_at }) => [username, first_name, last_name, created_at])).toEqual([
    ['ana.bauer', 'Ana', 'Bauer', '2024-05-13 00:00:00'],
    ['umit.oz', 'Ümit', 'Öz', '2024-05-03 00:00:00'],
  ])
  expect(leftOut).toEqual({
    'values of the column “Invited By”': 1,
    'values of the column “Question1”': 1,
    'values of the column “Answer1”': 1,
    'values of the column “LTV”': 1,
  })
})

test('a list as Mighty Networks exports it, with semicolons and the code page of Windows', async () => {
  const { people } = await read(
    Buffer.from(
      'Member ID;First Name;Last Name;Email;Join Date;City;Country;Roles;Status\n7;José;Peña;jose@example.org;13 May 2024 at 3:45 PM;Málaga;Spain;Host;Approved\n',
      'latin1',
    ),
  )
  expect(people).toMatchObject([{ display_name: 'José Peña', location: 'Málaga, Spain', role: 'admin', created_at: '2024-05-13 15:45:00' }])
})

test('cells that spreadsheets must not compute are text, and postal addresses are not published', async () => {
  const { people, leftOut } = await read(
    `sep=;\r\nName;Email;Headline;Address;State\r\n="Ana";="ana@example.org";'=1+1;Mill Lane 7;Styria\r\n"=HYPERLINK(""https://a.example"")";ben@example.org;-;;\r\n`,
  )
  expect(
    people.map(({ id, display_name, short_description, status, location }) => [id, display_name, short_description, status, location]),
  ).toEqual([
    ['ana@example.org', 'Ana', '=1+1', 'active', undefined],
    ['ben@example.org', '=HYPERLINK("https://a.example")', '-', 'active', undefined],
  ])
  expect(leftOut).toEqual({ 'values of the column “Address”': 1, 'values of the column “State”': 1 })
})

test('rows without a usable address, and duplicates, are left out with a reason', async () => {
  const { people, unreadable } = await read(
    'email,name,joined,status\n\nana@example.org,Ana,2024-05-13,\n,Nobody,2024-05-13,\nnot an address,X,,\n ANA@example.org ,Ana again,2024-05-14,\nben@example.org,Ben,someday,invited\ncleo@example.org,Cleo,someday,on leave\n',
  )
  expect(people.map(({ id, status, created_at }) => [id, status, created_at])).toEqual([
    ['ana@example.org', 'active', '2024-05-13 00:00:00'],
    ['cleo@example.org', 'pending', '2024-05-13 00:00:00'],
  ])
  expect(unreadable).toEqual([
    '4: it has no email address (failed)',
    '5: its email address is invalid (failed)',
    '6: its email address is already used in 3 (skipped)',
    '7: its status is invited, so it is not a current member (skipped)',
    '8: the status “on leave” is unknown; the member awaits approval (noted)',
    '8: “someday” is not a date; the earliest date of the list is used (noted)',
  ])
})

test('dates that can be read in two ways are refused', async () => {
  await expect(read('email,joined\na@example.org,03/04/2024\nb@example.org,2024-05-01\n')).rejects.toThrow(
    'members.csv: the dates of the column “joined” are ambiguous: 03/04/2024 can be read with the day or the month first. Write them as YYYY-MM-DD.',
  )
  await expect(read('email,joined\na@example.org,13/04/2024\nb@example.org,04/13/2024\n')).rejects.toThrow(
    /some dates have the day first, others the month/,
  )
  expect(
    (await read('email,joined\na@example.org,03/04/2024\nb@example.org,13/04/2024\n')).people.map(({ created_at }) => created_at),
  ).toEqual(['2024-04-03 00:00:00', '2024-04-13 00:00:00'])
})

test('several files of a folder are one list', async () => {
  const folder = await folderWith({
    'b.csv': 'E-Mail\nben@example.org\nana@example.org\n',
    'a.csv': 'Email Address,Joined\nana@example.org,1.5.2024\n',
  })
  const { records, unreadable } = await readAll(await openCsv(folder, {}))
  expect(records.people.map(({ id, created_at }) => [id, created_at])).toEqual([
    ['ana@example.org', '2024-05-01 00:00:00'],
    ['ben@example.org', '2024-05-01 00:00:00'],
  ])
  expect(unreadable.map(({ id, reason }) => `${id}: ${reason}`)).toEqual(['b.csv:3: its email address is already used in a.csv:2'])
})

test('what is no member list is refused', async () => {
  await expect(read('Name,Phone\nAna,1\n')).rejects.toThrow('members.csv has no column with email addresses; its columns are: Name, Phone.')
  await expect(read('')).rejects.toThrow('members.csv is empty.')
  await expect(read(Buffer.from([0x50, 0x4b, 1, 2, 0, 0, 0, 0, 0, 0]))).rejects.toThrow(/is not a text file/)
  await expect(read(`email\n"${'x'.repeat(2_000_000)}"\n`)).rejects.toThrow(/cannot be read as CSV/)
  const { people, unreadable } = await read('email,name\nana@example.org,Ana\nben@example.org,"Ben\n')
  expect(people.map(({ id }) => id)).toEqual(['ana@example.org'])
  expect(unreadable).toEqual(['3: a quoted cell that starts here is not closed (failed)'])
})

describe('dates', () => {
  test.each([
    ['2024-05-03', '2024-05-03 00:00:00'],
    ['2024-05-03 10:20:30 UTC', '2024-05-03 10:20:30'],
    ['2024-05-03T10:20:30.123+02:00', '2024-05-03 08:20:30'],
    ['2024/5/3', '2024-05-03 00:00:00'],
    ['May 3, 2024', '2024-05-03 00:00:00'],
    ['Fri, 3rd May 2024', '2024-05-03 00:00:00'],
    ['Friday, May 3rd, 2024 at 12:05 AM', '2024-05-03 00:05:00'],
    ['3-May-2024', '2024-05-03 00:00:00'],
    ['3.5.24', '2024-05-03 00:00:00'],
    ['5/3/2024 1:02 pm', '2024-05-03 13:02:00'],
    ['45415', '2024-05-03 00:00:00'],
    ['1714731630', '2024-05-03 10:20:30'],
    ['1714731630000', '2024-05-03 10:20:30'],
    ['5/31/2024', '2024-05-31 00:00:00'],
    ['2/30/2024', null],
    ['0000-00-00', null],
    ['13 Foo 2024', null],
    ['soon', null],
    ['', null],
  ])('%s', (text, expected) => {
    expect(dateOf(text, 'month')).toBe(expected)
  })

  test('the order of day and month', () => {
    expect(['13/4/2024', '4/13/2024', '3/4/2024', '2024-04-13'].map(orderIn)).toEqual(['day', 'month', null, null])
    expect(['3/4/2024', '4/4/2024', '13/4/2024', '3.4.2024'].map(isAmbiguous)).toEqual([true, false, false, false])
    expect(dateOf('3/4/2024', 'day')).toBe('2024-04-03 00:00:00')
  })
})

test('words of roles, states and lists', () => {
  expect(['Owner', 'Co-Host', 'member, Space Moderator', '', 'Adminish'].map(roleOf)).toEqual([
    'admin',
    'moderator',
    'moderator',
    'member',
    'member',
  ])
  expect(['', 'Active', 'Awaiting approval', 'Banned', 'Cancelled', 'Foo'].map(memberStatusOf)).toEqual([
    'active',
    'active',
    'pending',
    'banned',
    'absent',
    null,
  ])
  expect([listOf('a, b ,a'), listOf('a, b; c'), listOf('')]).toEqual([['a', 'b'], ['a, b', 'c'], []])
  expect(['a@b.example', 'a+b@münchen.example', 'a@b', 'a b@c.example', 'a@@b.example', '<a@b.example>'].map(isEmail)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
