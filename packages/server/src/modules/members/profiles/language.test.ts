import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givePassword } from '#test/account-deletion.ts'
import { type Mailbox, startMailbox } from '#test/mailbox.ts'
import { PASSWORD } from '#test/session.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let mailbox: Mailbox
let world: World
let admin: Member
beforeAll(async () => {
  mailbox = await startMailbox()
  world = await createWorld({ env: { LYCEUM_SMTP_URL: mailbox.url } })
  admin = await world.member({ role: 'admin' })
})
afterAll(async () => {
  await world.close()
  await mailbox.close()
})

let [ana, ben] = [] as unknown as [Member, Member]
beforeEach(async () => {
  ana = await world.member()
  ben = await world.member({ displayName: 'Ben' })
  await world.runPendingJobs()
  await mailbox.take()
})

const speak = (who: Member, lang: 'en' | 'de' | '' | null) => who.api.profiles.update({ username: who.username, lang })
const langOf = async (reader: Member, who: Member) => (await reader.api.profiles.get({ username: who.username })).profile.lang
const mailTo = async (who: Member) => {
  await world.runPendingJobs()
  world.clock.advance(121)
  await world.runPendingJobs()
  const [got] = await mailbox.take(who.email)
  return got?.mail
}
const commentOn = async (author: Member) => {
  const { data } = await author.api.feeds.create({ message: 'Hello', title: 'Seeds' })
  await ben.api.comments.create({ feed_id: data.id, comment: 'Yes' })
}

test('a member chooses the language, and nobody but administrators sees it', async () => {
  expect([await langOf(ana, ana), await langOf(ben, ana)]).toEqual(['', ''])
  await speak(ana, 'de')
  expect([await langOf(ana, ana), await langOf(admin, ana), await langOf(ben, ana)]).toEqual(['de', 'de', ''])
  expect((await ana.api.auth.session()).user?.lang).toBe('de')
  await speak(ana, null)
  expect((await ana.api.auth.session()).user?.lang).toBe('')
  await refused(ben.api.profiles.update({ username: ana.username, lang: 'de' }), 403, 'rest_forbidden')
  for (const lang of ['fr', 'DE', 7])
    expect((await ana.raw('POST', `/profile/${ana.username}`, { lang })).body).toMatchObject({ code: 'invalid_data' })
})

describe('mail', () => {
  test('about a notification is in the language of its recipient, and says so', async () => {
    await speak(ana, 'de')
    await commentOn(ana)
    const german = await mailTo(ana)
    expect(german?.subject).toBe('Ben hat deinen Beitrag „Seeds“ kommentiert')
    expect(german?.text).toContain('Kommentar lesen')
    expect(german?.html).toContain('<html lang="de" dir="ltr">')
    await speak(ana, 'en')
    await commentOn(ana)
    const english = await mailTo(ana)
    expect(english?.subject).toBe('Ben commented on your post “Seeds”')
    expect(english?.html).toContain('<html lang="en" dir="ltr">')
  })

  test('about an account is, too', async () => {
    await speak(ana, 'de')
    await ana.api.auth.forgotPassword({ login: ana.username })
    expect((await mailTo(ana))?.subject).toBe('Passwort für Lyceum zurücksetzen')
  })

  test('is in the language of the community for those who have chosen none', async () => {
    await admin.api.settings.save({ language: 'de' })
    await commentOn(ana)
    expect((await mailTo(ana))?.html).toContain('<html lang="de" dir="ltr">')
    await speak(ana, 'en')
    await commentOn(ana)
    expect((await mailTo(ana))?.html).toContain('<html lang="en" dir="ltr">')
    await admin.api.settings.save({ language: 'en' })
  })

  test('about a deleted account is in its former language, which is erased', async () => {
    await speak(ana, 'de')
    await givePassword(world, ana)
    await ana.api.privacy.deleteAccount({ current_password: PASSWORD })
    expect((await mailTo(ana))?.subject).toBe('Dein Konto bei Lyceum wurde gelöscht')
    const row = await world.app.services.database.read.selectFrom('users').select('lang').where('id', '=', ana.id).executeTakeFirstOrThrow()
    expect(row.lang).toBe('')
  })
})

test('notifications in the API are in English, with the fields that apps translate', async () => {
  await speak(ana, 'de')
  await commentOn(ana)
  await world.runPendingJobs()
  const [notice] = (await ana.api.notifications.list()).notifications.data
  expect(notice).toMatchObject({ title: 'Ben commented on your post “Seeds”', actors_count: 1, about: { feed: 'Seeds' } })
})
