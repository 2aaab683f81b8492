import { expect, test } from 'vitest'
import { layout } from './layout.ts'
import { digestMail, type NoticeFacts, noticeTitle, notificationMail } from './notifications.ts'
import {
  applicationPasswordMail,
  passwordChangedMail,
  reportMail,
  resetPasswordMail,
  testMail,
  welcomeMail,
} from './transactional-mails.ts'

const FACTS: Omit<NoticeFacts, 'type'> = {
  name: 'Ana',
  count: 1,
  of: 'feed',
  feed: 'Seeds',
  comment: 'Mine',
  place: 'Garden',
  pending: false,
  everyone: false,
}

test.each([
  [1, 'Ana'],
  [2, 'Ana and 1 other'],
  [3, 'Ana and 2 others'],
  [99, 'Ana and 98 others'],
  [100, 'Ana and 99+ others'],
])('%d people are %s', (count, words) => expect(noticeTitle({ ...FACTS, type: 'new_follower', count })).toBe(`${words} follows you`))

test.each<[NoticeFacts['type'], Partial<NoticeFacts>, string]>([
  ['new_comment', {}, 'Ana commented on your post “Seeds”'],
  ['new_comment', { feed: '' }, 'Ana commented on your post'],
  ['new_reply', { of: 'comment' }, 'Ana replied to your comment on “Seeds”'],
  ['new_reply', { of: 'comment', feed: '' }, 'Ana replied to your comment'],
  ['new_reaction', {}, 'Ana reacted to your post “Seeds”'],
  ['new_reaction', { of: 'comment' }, 'Ana reacted to your comment “Mine”'],
  ['mention', {}, 'Ana mentioned you in the post “Seeds”'],
  ['mention', { feed: '' }, 'Ana mentioned you in a post'],
  ['mention', { of: 'comment' }, 'Ana mentioned you in a comment on “Seeds”'],
  ['mention', { of: 'comment', feed: '' }, 'Ana mentioned you in a comment'],
  ['mention', { everyone: true }, 'Ana mentioned everyone in the post “Seeds”'],
  ['new_follower', {}, 'Ana follows you'],
  ['new_follower', { pending: true }, 'Ana wants to follow you'],
  ['space_invite', {}, 'Ana added you to the space “Garden”'],
  ['space_join', {}, 'Ana joined the space “Garden”'],
  ['space_join', { pending: true }, 'Ana asks to join the space “Garden”'],
  ['course_enrollment', {}, 'Ana enrolled in “Garden”'],
  ['lesson_complete', { place: '' }, 'Ana completed a lesson of your course'],
  ['moderation', {}, 'A message from the moderators'],
])('%s %j', (type, facts, title) => expect(noticeTitle({ ...FACTS, ...facts, type })).toBe(title))

test.each<[NoticeFacts['type'], Partial<NoticeFacts>, string]>([
  ['new_comment', {}, 'Ana hat deinen Beitrag „Seeds“ kommentiert'],
  ['new_comment', { count: 2 }, 'Ana und eine weitere Person haben deinen Beitrag „Seeds“ kommentiert'],
  ['new_reply', { count: 100 }, 'Ana und mehr als 99 weitere haben auf deinen Kommentar zu „Seeds“ geantwortet'],
  ['new_reaction', { of: 'comment' }, 'Ana hat auf deinen Kommentar „Mine“ reagiert'],
  ['mention', {}, 'Ana hat dich im Beitrag „Seeds“ erwähnt'],
  ['mention', { everyone: true, of: 'comment', feed: '' }, 'Ana hat in einem Kommentar alle erwähnt'],
  ['new_follower', { pending: true }, 'Ana möchte dir folgen'],
  ['space_invite', {}, 'Ana hat dich zum Raum „Garden“ hinzugefügt'],
  ['space_join', {}, 'Ana ist dem Raum „Garden“ beigetreten'],
  ['course_enrollment', { place: '' }, 'Ana hat sich in deinen Kurs eingeschrieben'],
  ['lesson_complete', {}, 'Ana hat eine Lektion deines Kurses „Garden“ abgeschlossen'],
  ['moderation', {}, 'Eine Nachricht der Moderation'],
])('in German: %s %j', (type, facts, title) => expect(noticeTitle({ ...FACTS, ...facts, type }, 'de')).toBe(title))

const url = 'https://garden.example'
const brand = { name: 'Garten', url, color: '#2f7d4f' }
const to = { community: 'Garten', brand, displayName: 'Zoë', username: 'zoe', url }
const links = { brand, preferences: `${url}/x`, unsubscribe: `${url}/y` }
const post = { title: 'Beete', excerpt: 'Text', author: 'Ana', space: 'Hof', comments: 1, reactions: 2, url }
const digest = {
  ...({ ...links, frequency: 'weekly', displayName: 'Zoë', at: new Date('2026-03-09T23:30:00Z'), timeZone: 'Europe/Berlin' } as const),
  ...{ notices: [], moreNotices: 3, notificationsUrl: url, posts: [post], spaces: [{ title: 'Hof', count: 1, url }] },
} as const

test('mails are in the language of the recipient, and say so', () => {
  const german = [
    resetPasswordMail({ ...to, lang: 'de', validMinutes: 120 }),
    welcomeMail({ ...to, lang: 'de' }),
    passwordChangedMail({ ...to, lang: 'de', revoked: { sessions: 1, application_passwords: 2, exports: 0 } }),
    applicationPasswordMail({ ...to, lang: 'de', name: 'Telefon', from: null, at: '2026-03-10 12:00:00' }),
    reportMail({ ...to, lang: 'de', report: { object_type: 'feed', reason: 'hate_speech' } }),
    testMail({ brand, lang: 'de', sentAt: '2026-03-10 12:00:00' }),
    notificationMail({ ...links, lang: 'de', type: 'mention', kind: 'mention', title: 'Titel', message: 'Hallo', url, person: 'Ana' }),
    digestMail({ ...digest, lang: 'de' }),
  ]
  for (const { html, text, subject } of german) {
    expect(html).toContain('<html lang="de" dir="ltr">')
    expect(`${subject} ${text}`).not.toMatch(/\b(you|your|the|and|this|was|open|hello)\b/i)
  }
  expect(german[0]?.text).toContain('innerhalb von 2 Stunden')
  expect(german[0]?.html).toContain('Oder öffne diese Adresse:')
  expect(german[2]?.text).toContain('Außerdem widerrufen: 1 Sitzung, 2 Anwendungspasswörter.')
  expect(german[4]?.subject).toBe('Ein Beitrag wurde gemeldet: Hassrede · Garten')
  expect(german[7]?.subject).toBe('Deine Woche bei Garten · 10. März')
})

test('without a language, mails are in English', () => {
  expect(digestMail(digest).subject).toBe('Your week at Garten · 10 March')
  for (const html of [layout({ title: 'x', footer: 'y' }).html, welcomeMail(to).html]) expect(html).toContain('<html lang="en" dir="ltr">')
})
