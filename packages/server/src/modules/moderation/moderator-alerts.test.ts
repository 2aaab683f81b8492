import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEFAULT_PERMISSIONS } from '@lyceum/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { type Mailbox, startMailbox } from '#test/mailbox.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

const startChat = async () => {
  const seen: { body: string; type: string | undefined }[] = []
  let status = 200
  const read = async (request: IncomingMessage) => {
    let body = ''
    for await (const part of request) body += String(part)
    seen.push({ body, type: request.headers['content-type'] })
  }
  const server = createServer((request, response) => {
    void read(request).then(() => response.writeHead(status).end('ok'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    seen,
    answer: (next: number) => {
      status = next
    },
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

let world: World
let mailbox: Mailbox
let chat: Awaited<ReturnType<typeof startChat>>
let admin: Member
let scoped: Member
let author: Member
let ana: Member
let secret: Space
let other: Space

beforeAll(async () => {
  mailbox = await startMailbox()
  chat = await startChat()
  world = await createWorld({ env: { LYCEUM_SMTP_URL: mailbox.url, LYCEUM_OUTBOUND_ALLOW: '127.0.0.0/8' } })
  admin = await world.member({ role: 'admin', username: 'admin' })
  scoped = await world.member({ role: 'moderator', username: 'scoped' })
  author = await world.member({ username: 'author' })
  ana = await world.member({ username: 'ana' })
  secret = await makeSpace(world, { privacy: 'secret', members: [author, ana] })
  other = await makeSpace(world, { members: [author, ana] })
  await grant(world, scoped, DEFAULT_PERMISSIONS.moderator, [other])
  await world.member({ role: 'manager', username: 'viewer' }).then((viewer) => grant(world, viewer, ['view_reports']))
})
afterAll(async () => {
  await world.close()
  await mailbox.close()
  await chat.close()
})
beforeEach(async () => {
  await world.runPendingJobs()
  await mailbox.take()
  chat.seen.length = 0
  chat.answer(200)
})

const notify = (email_on_report: boolean, chat_webhook: string) =>
  admin.api.moderation.saveConfig({ moderator_notifications: { email_on_report, chat_webhook } })
const report = async (space: Space) => {
  const { data } = await author.api.feeds.create({ title: 'Quincewood', message: 'Quincewood words', space_id: space.id })
  return (await ana.api.moderation.report({ object_id: data.id, object_type: 'feed', reason: 'hate_speech', description: 'Quincewood!' }))
    .id
}
/** Mails to moderators about reports. */
const letters = async () => (await mailbox.take()).filter(({ mail }) => mail.subject?.includes('reported'))

test('mails those who may handle the report, and nobody else', async () => {
  await notify(true, '')
  const id = await report(other)
  await world.runPendingJobs()
  const mails = await letters()
  expect(mails.map(({ to }) => to).sort()).toEqual([admin.email, scoped.email])
  expect(mails[0]?.mail.text).toContain(`/moderation/reports/${id}`)
  await report(secret)
  await world.runPendingJobs()
  expect((await letters()).map(({ to }) => to)).toEqual([admin.email])
  expect(chat.seen).toEqual([])
})

test('no mail contains the reported content', async () => {
  await notify(true, '')
  await report(secret)
  await world.runPendingJobs()
  const [letter] = await letters()
  expect(`${letter?.mail.subject} ${letter?.mail.text} ${letter?.mail.html}`).not.toContain('Quincewood')
})

test('the chat message does not reveal the content', async () => {
  await notify(false, chat.url)
  const id = await report(secret)
  await world.runPendingJobs()
  expect(chat.seen).toHaveLength(1)
  const body = JSON.parse(chat.seen[0]!.body) as { text: string; content: string }
  expect(chat.seen[0]?.type).toBe('application/json')
  expect(body.text).toBe(body.content)
  expect(body.text).toContain('hate speech')
  expect(body.text).toContain(`/moderation/reports/${id}`)
  expect(chat.seen[0]!.body).not.toContain('Quincewood')
  expect(await letters()).toEqual([])
})

test('is retried while the chat is unreachable, but not if it rejects the message', async () => {
  await notify(false, chat.url)
  chat.answer(503)
  await report(other)
  await world.runPendingJobs()
  expect(chat.seen).toHaveLength(1)
  chat.answer(200)
  world.clock.advance(60)
  await world.runPendingJobs()
  expect(chat.seen).toHaveLength(2)
  chat.answer(404)
  await report(other)
  await world.runPendingJobs()
  world.clock.advance(3600)
  await world.runPendingJobs()
  expect(chat.seen).toHaveLength(3)
})

test('nothing is sent for reports decided meanwhile, after a change of settings or while disabled', async () => {
  await notify(true, chat.url)
  const id = await report(other)
  await admin.api.moderation.update({ report_id: id, status: 'dismissed' })
  await world.runPendingJobs()
  await notify(false, '')
  await report(other)
  await world.runPendingJobs()
  expect([await letters(), chat.seen]).toEqual([[], []])
})
