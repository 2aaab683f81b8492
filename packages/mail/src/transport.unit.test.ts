import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMailer, isMailAddress, MailError } from './transport.ts'

let dir: string
let ended: (() => unknown)[]
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lyceum-mail-'))
  ended = []
})
afterEach(async () => {
  for (const end of ended) await end()
  rmSync(dir, { recursive: true, force: true })
})

const from = 'River Community <no-reply@community.example>'
const message = { to: 'ada@example.org', subject: 'Grüße', text: 'See https://community.example/?a=b\n', html: '<p>See <b>it</b></p>\n' }

interface Received {
  sender: string
  recipients: string[]
  user: string | undefined
  raw: string
}

/** A mail server that accepts all mail, except for recipients whose address requests a rejection. */
const startSmtp = async ({ password }: { password?: string } = {}) => {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: password === undefined,
    logger: false,
    onAuth: ({ username, password: given }, _session, done) =>
      given === password ? done(null, { user: username }) : done(new Error('Wrong password')),
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('gone')) return done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }))
      if (address.startsWith('full')) return done(Object.assign(new Error('Mailbox full'), { responseCode: 452 }))
      done()
    },
    onData(stream, { envelope, user }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          sender: envelope.mailFrom ? envelope.mailFrom.address : '',
          recipients: envelope.rcptTo.map(({ address }) => address),
          user: user as string | undefined,
          raw: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ended.push(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as { port: number }
  return { received, port, url: `smtp://127.0.0.1:${port}` }
}

/** A server that does not respond, or never completes its response. */
const startMute = async (talk: (socket: Socket) => void) => {
  const sockets: Socket[] = []
  const { promise: connected, resolve: onConnected } = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    talk(socket)
    onConnected()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ended.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}`, connected }
}

const mailer = (smtpUrl?: string, timeoutMs?: number) => createMailer({ smtpUrl, outboxDir: join(dir, 'outbox'), from, timeoutMs })

const headersOf = (raw: string) => raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
const failure = (sending: Promise<void>) =>
  sending.then(
    () => expect.unreachable('the mail was sent'),
    (error: unknown) => error as MailError,
  )

test('a mail is sent by SMTP with both bodies and the headers of automated mail', async () => {
  const smtp = await startSmtp()
  const mail = mailer(smtp.url)
  expect(mail.kind).toBe('smtp')
  await mail.send(message)
  await mail.close()
  expect(smtp.received).toHaveLength(1)
  const { sender, recipients, raw } = smtp.received[0]!
  expect([sender, recipients]).toEqual(['no-reply@community.example', ['ada@example.org']])
  const headers = headersOf(raw)
  expect(headers).toMatch(/^From: River Community <no-reply@community\.example>$/m)
  expect(headers).toMatch(/^To: ada@example\.org$/m)
  expect(headers).toMatch(/^Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe\?=$/m)
  expect(headers).toMatch(/^Auto-Submitted: auto-generated$/m)
  expect(headers).toMatch(/^Message-ID: <[^>]+@community\.example>$/m)
  expect(headers).not.toMatch(/^List-Unsubscribe/m)
  expect(raw).toMatch(/text\/plain[\s\S]*See https[\s\S]*text\/html[\s\S]*<b>it<\/b>/)
  expect(readdirSync(dir)).toEqual([])
})

test('the user and password of the URL are used, and a wrong password is a temporary error', async () => {
  const smtp = await startSmtp({ password: 'p@ss w' })
  await mailer(`smtp://lyceum:p%40ss%20w@127.0.0.1:${smtp.port}`).send(message)
  expect(smtp.received[0]!.user).toBe('lyceum')
  const error = await failure(mailer(`smtp://lyceum:other@127.0.0.1:${smtp.port}`).send(message))
  expect(error).toBeInstanceOf(MailError)
  expect(error.permanent).toBe(false)
  expect(error.message).not.toContain('other')
})

test('a rejected recipient is permanent, a full mailbox is temporary', async () => {
  const smtp = await startSmtp()
  const mail = mailer(smtp.url)
  expect(await failure(mail.send({ ...message, to: 'gone@example.org' }))).toMatchObject({ name: 'MailError', permanent: true })
  expect(await failure(mail.send({ ...message, to: 'full@example.org' }))).toMatchObject({ name: 'MailError', permanent: false })
  expect(smtp.received).toEqual([])
})

test('nothing in a subject or an address becomes a header or a second recipient', async () => {
  const smtp = await startSmtp()
  const mail = mailer(smtp.url)
  await mail.send({ ...message, subject: 'Hi\r\nBcc: eve@example.org\r\n\r\n<b>body</b>\u2028x\u0000' })
  const headers = headersOf(smtp.received[0]!.raw)
  expect(headers).toMatch(/^Subject: Hi Bcc: eve@example\.org <b>body<\/b> x$/m)
  expect(headers).not.toMatch(/^Bcc:/m)
  expect(smtp.received[0]!.recipients).toEqual(['ada@example.org'])
  for (const to of [
    'a@b.example,eve@example.org',
    'a@b.example\r\nBcc: eve@example.org',
    'Ada <ada@example.org>',
    '"eve@example.org x"@b.example',
    'a b@c.example',
  ])
    expect(await failure(mail.send({ ...message, to }))).toMatchObject({ permanent: true })
  expect(smtp.received).toHaveLength(1)
})

test('an endless subject is cut', async () => {
  const smtp = await startSmtp()
  await mailer(smtp.url).send({ ...message, subject: 'x'.repeat(5000) })
  expect(
    headersOf(smtp.received[0]!.raw)
      .match(/^Subject: (.*)$/m)![1]!
      .replaceAll(' ', ''),
  ).toBe('x'.repeat(200))
})

test('unsubscribable mail has the headers of RFC 8058', async () => {
  const smtp = await startSmtp()
  const mail = mailer(smtp.url)
  await mail.send({ ...message, unsubscribeUrl: 'https://community.example/unsubscribe?token=abc' })
  const headers = headersOf(smtp.received[0]!.raw)
  expect(headers).toMatch(/^List-Unsubscribe: <https:\/\/community\.example\/unsubscribe\?token=abc>$/m)
  expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  expect(await failure(mail.send({ ...message, unsubscribeUrl: 'https://x.example/>\r\nBcc: eve@example.org' }))).toMatchObject({
    permanent: true,
  })
})

test('a silent or endless server is disconnected after the deadline', async () => {
  const mute = await startMute(() => {})
  const drip = await startMute((socket) => {
    socket.write('220 welcome\r\n')
    const timer = setInterval(() => socket.write('250-there is more\r\n'), 10)
    socket.on('close', () => clearInterval(timer))
  })
  for (const { url } of [mute, drip]) {
    const start = performance.now()
    expect(await failure(mailer(url, 150).send(message))).toMatchObject({ name: 'MailError', permanent: false })
    expect(performance.now() - start).toBeLessThan(1000)
  }
})

test('an unreachable server is a temporary error', async () => {
  const smtp = await startSmtp()
  await ended.pop()!()
  expect(await failure(mailer(smtp.url).send(message))).toMatchObject({ name: 'MailError', permanent: false })
})

test('close waits for pending mails and accepts no more', async () => {
  const smtp = await startSmtp()
  const mail = mailer(smtp.url)
  const sending = mail.send(message)
  await mail.close()
  expect(smtp.received).toHaveLength(1)
  await sending
  expect(await failure(mail.send(message))).toMatchObject({ name: 'MailError', permanent: false })
})

test('close waits for a limited time', async () => {
  const { url, connected } = await startMute(() => {})
  const mail = createMailer({ smtpUrl: url, outboxDir: dir, from, graceMs: 50 })
  const failed = failure(mail.send(message))
  await connected
  await mail.close()
  expect(await failed).toMatchObject({ name: 'MailError', permanent: false })
})

test('without SMTP each mail is a file that only its owner can read', async () => {
  const clock = { now: () => new Date('2026-11-21T01:02:03.456Z') }
  const mail = createMailer({ outboxDir: join(dir, 'outbox'), from, clock })
  expect(mail.kind).toBe('outbox')
  await Promise.all(Array.from({ length: 20 }, (_, i) => mail.send({ ...message, to: `user${i}@example.org` })))
  const names = readdirSync(join(dir, 'outbox'))
  expect(names).toHaveLength(20)
  for (const name of names) {
    expect(name).toMatch(/^20261121T010203456Z-\d{6}-[0-9a-f]{8}\.eml$/)
    expect(statSync(join(dir, 'outbox', name)).mode & 0o777).toBe(0o600)
  }
  expect(statSync(join(dir, 'outbox')).mode & 0o777).toBe(0o700)
  const raw = readFileSync(join(dir, 'outbox', names[0]!), 'utf8')
  expect(headersOf(raw)).toMatch(/^To: user\d+@example\.org$/m)
  expect(headersOf(raw)).toMatch(/^Date: Sat, 21 Nov 2026 01:02:03 \+0000$/m)
  expect(raw).toContain('See https://community.example/?a=b')
  expect(raw).toContain('<p>See <b>it</b></p>')
})

test('a link in the outbox is not wrapped', async () => {
  const link = `https://community.example/reset-password?token=${'a1'.repeat(60)}`
  await createMailer({ outboxDir: dir, from }).send({
    ...message,
    text: `Grüße!\n${link}\n`,
    html: `<p>Grüße! <a href="${link}">${link}</a></p>\n`,
  })
  const [name = ''] = readdirSync(dir)
  const raw = readFileSync(join(dir, name), 'utf8')
  expect(raw).toContain(`\r\nGrüße!\r\n${link}\r\n`)
  expect(raw).toContain(`<p>Grüße! <a href="${link}">${link}</a></p>`)
  expect(raw.match(/^Content-Transfer-Encoding: (.*)\r$/gm)).toHaveLength(2)
})

test('the outbox keeps the newest thousand', async () => {
  let at = Date.UTC(2026, 10, 21)
  const mail = createMailer({ outboxDir: dir, from, clock: { now: () => new Date(at++) } })
  for (let i = 0; i < 1000; i += 1) writeFileSync(join(dir, `20250101T000000${String(i).padStart(3, '0')}Z-00000000.eml`), '')
  writeFileSync(join(dir, 'keep.txt'), '')
  for (let i = 0; i < 100; i += 1) await mail.send(message)
  const names = readdirSync(dir).sort()
  expect(names).toHaveLength(1001)
  expect(names.filter((name) => name.startsWith('2026'))).toHaveLength(100)
  expect(names[0]).toMatch('20250101T000000100Z')
  expect(names).toContain('keep.txt')
})

test('an outbox that cannot be written causes an error', async () => {
  writeFileSync(join(dir, 'outbox'), 'a file in the way')
  expect(await failure(mailer().send(message))).toMatchObject({ name: 'MailError', permanent: false })
})

test('invalid settings are refused immediately', () => {
  for (const bad of ['', 'nobody', 'A <a@b, c@d>', 'A <a@b.example>\r\nBcc: eve@example.org'])
    expect(() => createMailer({ outboxDir: dir, from: bad })).toThrow('LYCEUM_MAIL_FROM')
  for (const bad of ['mail.example', 'http://mail.example', 'smtp://', 'smtp:mail'])
    expect(() => createMailer({ outboxDir: dir, from, smtpUrl: bad })).toThrow('LYCEUM_SMTP_URL')
})

test('isMailAddress checks the syntax', () => {
  for (const good of ['a@b', 'ada.king+list@sub.example.org', 'zoë@exämple.org', "o'neill@example.org"])
    expect(isMailAddress(good)).toBe(true)
  for (const bad of [
    '',
    'a',
    '@b',
    'a@',
    'a@b@c',
    'a b@c',
    'a@b\n',
    'a,b@c',
    '<a@b>',
    'a@b>',
    `${'x'.repeat(65)}@b`,
    `a@${'b'.repeat(260)}`,
  ])
    expect(isMailAddress(bad)).toBe(false)
})

test('the sender can be partly overridden, and a message id and thread can be given', async () => {
  const smtp = await startSmtp()
  const mail = mailer(smtp.url)
  await mail.send({
    ...message,
    sender: { name: 'The\r\nBcc: x@evil.example River' },
    messageId: 'notification-7@a.example',
    thread: 'feed-3@a.example',
  })
  await mail.send({ ...message, sender: { address: 'post@river.example' } })
  await mail.send({ ...message, sender: { address: 'two@a.example, three@a.example' } })
  const [one = '', two = '', three = ''] = smtp.received.map(({ raw }) => headersOf(raw))
  expect(one).toMatch(/^From: "?The Bcc: x@evil\.example River"? <no-reply@community\.example>$/m)
  expect(one).not.toMatch(/^Bcc/m)
  expect(one).toMatch(/^Message-ID: <notification-7@a\.example>$/m)
  expect(one).toMatch(/^References: <feed-3@a\.example>$/m)
  expect(one).toMatch(/^In-Reply-To: <feed-3@a\.example>$/m)
  expect(two).toMatch(/^From: River Community <post@river\.example>$/m)
  expect(three).toMatch(/^From: River Community <no-reply@community\.example>$/m)
  for (const id of ['x', 'a@b>\r\nBcc: c@d', `${'x'.repeat(200)}@a.example`])
    await expect(failure(mail.send({ ...message, messageId: id }))).resolves.toMatchObject({ permanent: true })
})
