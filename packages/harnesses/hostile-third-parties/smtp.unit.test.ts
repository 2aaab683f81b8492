import { tmpdir } from 'node:os'
import { createMailer, MailError } from '@lyceum/mail/transport'
import { expect, test } from 'vitest'
import { report } from '#test/scale.ts'
import { deliverMail } from '../../server/src/mail/send-job.ts'
import { endsWithin } from './others.ts'
import { unredactedLog } from './peer.ts'
import { SMTP_FAULTS, type SmtpFault, STAGES, type Stage, startSmtp } from './smtp.ts'

const DEADLINE_MS = 600
const PASSWORD = 'Quiet-river-7431 ü'
const SECRETS = [
  PASSWORD,
  encodeURIComponent(PASSWORD),
  ...[`\u0000post\u0000${PASSWORD}`, PASSWORD].map((text) => Buffer.from(text).toString('base64')),
]
const MESSAGE = { to: 'ana@example.org', subject: 'Hello', text: 'Hello\n', html: '<p>Hello</p>' }

const mailerTo = (port: number, timeoutMs = DEADLINE_MS) =>
  createMailer({
    smtpUrl: `smtp://post:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    outboxDir: tmpdir(),
    from: 'post@community.example',
    timeoutMs,
    graceMs: 100,
  })

interface Outcome {
  readonly said: 'sent' | 'later' | 'never' | 'late' | 'odd'
  readonly taken: number
  /** Everything that operators and users can read about the attempt. */
  readonly text: string
}

const send = async (stage: Stage | null, trick: SmtpFault | null, timeoutMs = DEADLINE_MS): Promise<Outcome> => {
  const smtp = await startSmtp(stage, trick)
  const mailer = mailerTo(smtp.port, timeoutMs)
  const kept = unredactedLog()
  let failure: unknown
  const sending = mailer.send(MESSAGE).catch((error: unknown) => {
    failure = error
  })
  const ended = await endsWithin(sending, stage === null ? timeoutMs : 3 * DEADLINE_MS)
  kept.log.warn({ event: 'mail_rejected', err: failure }, 'mail rejected')
  const text = `${kept.text()} ${failure instanceof Error ? failure.message : ''}`
  const said = !ended
    ? 'late'
    : failure === undefined
      ? 'sent'
      : !(failure instanceof MailError)
        ? 'odd'
        : failure.permanent
          ? 'never'
          : 'later'
  await smtp.stop()
  await mailer.close()
  return { said, taken: smtp.taken.length, text }
}

/** A refused recipient or message is a permanent failure; any other failure is retried. */
const expected = (stage: Stage, { name }: SmtpFault): Outcome['said'] =>
  (name === 'says 554' || name === 'repeats what it was told') && ['MAIL', 'RCPT', 'DATA', 'message'].includes(stage) ? 'never' : 'later'

test('a misbehaving mail server is dropped within the timeout, and tried again unless it rejected the mail permanently', {
  timeout: 60_000,
}, async () => {
  // The first mail of a process also loads modules.
  expect(await send(null, null, 20_000)).toMatchObject({ said: 'sent', taken: 1 })
  const wrong: string[] = []
  const leaks: string[] = []
  const look = async (stage: Stage, trick: SmtpFault) => {
    const { said, text } = await send(stage, trick)
    if (said !== expected(stage, trick)) wrong.push(`${trick.name} at ${stage}: ${said} ${text.slice(0, 300)}`)
    if (SECRETS.some((secret) => text.includes(secret))) leaks.push(`${trick.name} at ${stage}`)
    if (text.length > 20_000) leaks.push(`${trick.name} at ${stage}: ${text.length} characters are told`)
  }
  for (const stage of STAGES) {
    await Promise.all(SMTP_FAULTS.filter(({ heavy }) => !heavy).map((trick) => look(stage, trick)))
    for (const trick of SMTP_FAULTS.filter(({ heavy }) => heavy)) await look(stage, trick)
  }
  expect({ wrong, leaks }).toEqual({ wrong: [], leaks: [] })
  report({ peer: 'mail server', tricks: STAGES.length * SMTP_FAULTS.length, late: 0, leaks: leaks.length })
})

test('the response of the server is logged without the password', async () => {
  const smtp = await startSmtp('AUTH', SMTP_FAULTS.find(({ name }) => name === 'repeats what it was told') as SmtpFault)
  const mailer = mailerTo(smtp.port)
  const kept = unredactedLog()
  const failure = await deliverMail({ mailer, log: kept.log }, MESSAGE).catch((error: Error) => error)
  expect(String((failure as Error).message)).toContain('535')
  expect(SECRETS.filter((secret) => String((failure as Error).message).includes(secret))).toEqual([])
  await smtp.stop()
  await mailer.close()
})

test('control: the same run without a timeout is late', async () => {
  const hangs = await send('message', SMTP_FAULTS[0] as SmtpFault, 60_000)
  expect(hangs.said).toBe('late')
})
