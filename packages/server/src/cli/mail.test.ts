import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lyceum, lyceumJson, readyEnv } from '#test/command.ts'
import { type Mailbox, startMailbox } from '#test/mailbox.ts'
import { readConfig } from '../config.ts'

let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await startMailbox()
})
afterAll(() => mailbox.close())

test('mail test sends a mail through the mail server and prints its address without the password', async () => {
  const env = { ...(await readyEnv()), LYCEUM_SMTP_URL: mailbox.url, LYCEUM_MAIL_FROM: 'River <post@river.example>' }
  const { code, out } = await lyceum(env, ['mail', 'test', 'ada@example.org'])
  expect([code, out]).toEqual([0, `${mailbox.url} took the mail to ada@example.org. Look whether it arrives.\n`])
  const [got] = await mailbox.take('ada@example.org')
  expect(got?.mail.subject).toBe('Test email from Lyceum')
  expect(got?.mail.from).toEqual({ name: 'River', address: 'post@river.example' })
  expect(await lyceumJson(env, 'mail', 'test', 'ada@example.org')).toEqual({ to: 'ada@example.org', kind: 'smtp', via: mailbox.url })
})

test('mail test prints the response of the mail server, and exits with 1', async () => {
  mailbox.putOff(true)
  const env = { ...(await readyEnv()), LYCEUM_SMTP_URL: mailbox.url.replace('//', '//me:hidden@') }
  const { code, out, err } = await lyceum(env, ['mail', 'test', 'ada@example.org'])
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^lyceum: smtp:\/\/127\.0\.0\.1:\d+ did not take the mail: .+\n$/)
  expect(err).not.toContain('hidden')
  mailbox.putOff(false)
})

test('mail test without a mail server prints the path of the file', async () => {
  const env = await readyEnv()
  const outbox = join(readConfig(env).dataDir, 'outbox')
  const { code, out } = await lyceum(env, ['mail', 'test', 'ada@example.org'])
  expect([code, out]).toEqual([0, `No mail server is set (LYCEUM_SMTP_URL): the mail is a file in ${outbox}.\n`])
  const [file = ''] = readdirSync(outbox)
  expect(readFileSync(join(outbox, file), 'utf8')).toContain('To: ada@example.org')
  expect(await lyceum(env, ['mail', 'test', 'nobody'])).toMatchObject({ code: 1, err: 'lyceum: nobody is no email address\n' })
})
