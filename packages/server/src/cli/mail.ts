import { testMail } from '@lyceum/mail/transactional-mails'
import { isMailAddress } from '@lyceum/mail/transport'
import type { Command } from 'commander'
import type { Core } from '../app.ts'
import { nowOf } from '../core/clock.ts'
import { mailIdentity } from '../modules/settings/index.ts'
import { coreAction, type Output } from './bootstrap.ts'
import { CommandError, type Terminal } from './terminal.ts'

/** Where mail is sent, without the password. */
const serverOf = (smtpUrl: string): string => {
  const { protocol, hostname, port } = new URL(smtpUrl)
  return `${protocol}//${hostname}${port && `:${port}`}`
}

const test = async ({ services }: Core, address: string): Promise<Output> => {
  const { config, mailer, clock } = services
  if (!isMailAddress(address)) throw new CommandError(`${address} is no email address`)
  const { brand, sender, lang } = await mailIdentity(services)
  const via = mailer.kind === 'smtp' ? serverOf(config.smtpUrl) : `${config.dataDir}/outbox`
  try {
    await mailer.send({ to: address, ...testMail({ brand, lang, sentAt: nowOf(clock) }), sender })
  } catch (error) {
    throw new CommandError(`${via} did not take the mail: ${(error as Error).message}`)
  }
  const text =
    mailer.kind === 'smtp'
      ? `${via} took the mail to ${address}. Look whether it arrives.\n`
      : `No mail server is set (LYCEUM_SMTP_URL): the mail is a file in ${via}.\n`
  return [{ to: address, kind: mailer.kind, via }, text]
}

export const mailCommand = (program: Command, terminal: Terminal) =>
  program
    .command('mail')
    .description('manage outgoing mail')
    .command('test')
    .description('send a test mail and report the result')
    .argument('<address>', 'recipient')
    .action(coreAction(terminal, test))
