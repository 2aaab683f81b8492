import { afterAll, beforeAll, expect, test } from 'vitest'
import { register } from '#test/session.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { mixesScripts, skeletonsOf } from './look-alikes.ts'

let world: World
let admin: Member
let moderator: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin', username: 'acer', displayName: 'Ian Cooper' })
  moderator = await world.member({ role: 'moderator' })
})
afterAll(() => world.close())

const reportsAbout = async ({ id }: Member) => {
  const { reports } = await moderator.api.moderation.reports({ object_type: 'user', per_page: 100 })
  return reports.filter((report) => report.object_id === id)
}
const rename = async (member: Member, display_name: string) => {
  await member.api.profiles.update({ username: 'me', display_name })
  await world.runPendingJobs()
  expect((await member.api.profiles.get({ username: 'me' })).profile.display_name).toBe(display_name)
}

test('a display name that mixes scripts is accepted and reported to moderators', async () => {
  const ana = await world.member()
  await rename(ana, 'Иван Smith')
  expect(await reportsAbout(ana)).toMatchObject([
    { reporter: null, reporter_id: null, reason: 'other', status: 'pending', description: expect.stringContaining('mixes alphabets') },
  ])
  await refused(ana.api.profiles.update({ username: 'me', display_name: 'Bоss' }), 400, 'invalid_data')
  for (const name of ['Иван Иванов', 'Γιώργος Παπαδόπουλος', 'John Smith', '田中 Tanaka', 'Анна 🎉']) {
    const member = await world.member()
    await rename(member, name)
    expect(await reportsAbout(member), name).toEqual([])
  }
})

test('a display name resembling that of a moderator or administrator is reported, once per name', async () => {
  const ben = await world.member()
  await rename(ben, 'lan Cooper')
  const first = await reportsAbout(ben)
  expect(first).toMatchObject([{ description: expect.stringContaining('looks like the name of @acer (admin)'), status: 'pending' }])
  await admin.api.moderation.update({ report_id: first[0]?.id ?? 0, status: 'dismissed' })
  await ben.api.profiles.update({ username: 'me', bio: 'Another text' })
  await world.runPendingJobs()
  expect(await reportsAbout(ben)).toHaveLength(1)
  // Cyrillic letters only, which look like the username of the administrator.
  await rename(ben, 'асег')
  await rename(ben, 'IAN COOPER')
  expect((await reportsAbout(ben)).map(({ description }) => description.includes('@acer'))).toEqual([true, true, true])
})

test('names of new accounts are checked, names of moderators are not', async () => {
  const { id } = await register(world, { username: 'cleo', display_name: 'Ian Cooper' })
  await world.runPendingJobs()
  const { reports } = await moderator.api.moderation.reports({ object_type: 'user', per_page: 100 })
  expect(reports.filter((report) => report.object_id === id)).toHaveLength(1)
  await rename(moderator, 'Ian Cooper')
  expect(await reportsAbout(moderator)).toEqual([])
})

test('similar-looking names have the same skeleton', () => {
  const alike = (a: string, b: string) => skeletonsOf(a).some((look) => skeletonsOf(b).includes(look))
  for (const [a, b] of [
    ['Асе', 'Ace'],
    ['Ian', 'lan'],
    ['b0ss', 'boss'],
    ['Anna-Berg', 'anna berg'],
    ['ΑΝΝΑ', 'ANNA'],
  ] as const)
    expect(alike(a, b), `${a} ${b}`).toBe(true)
  for (const [a, b] of [
    ['Anna', 'Hanna'],
    ['Иван', 'Ivan'],
    ['李', '李明'],
  ] as const)
    expect(alike(a, b), `${a} ${b}`).toBe(false)
  expect([mixesScripts('Иван Smith'), mixesScripts('Иван'), mixesScripts('田中 Smith')]).toEqual([true, false, false])
})
