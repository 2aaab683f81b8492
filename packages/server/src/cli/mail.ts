import type { Command } from 'commander'
import { nowOf } from '../core/clock.ts'
import { testMail } from '../mail/messages.ts'
import { isMailAddress } from '../mail/transport.ts'
import { mailIdentity } from '../modules/settings/index.ts'
import { withCore } from './bootstrap.ts'
import { CommandError, printResult, type Terminal } from './terminal.ts'

/** Where mail is sent, without the password. */
const serverOf = (smtpUrl: string): string => {
  const { protocol, hostname, port } = new URL(smtpUrl)
  return `${protocol}//${hostname}${port && `:${port}`}`
}

const test = async (terminal: Terminal, address: string, json?: true) => {
  if (!isMailAddress(address)) throw new CommandError(`${address} is no email address`)
  await withCore(terminal, async ({ services }) => {
    const { config, mailer, clock } = services
    const { brand, sender } = await mailIdentity(services)
    const via = mailer.kind === 'smtp' ? serverOf(config.smtpUrl) : `${config.dataDir}/outbox`
    try {
      await mailer.send({ to: address, ...testMail({ brand, sentAt: nowOf(clock) }), sender })
    } catch (error) {
      throw new CommandError(`${via} did not take the mail: ${(error as Error).message}`)
    }
    printResult(
      terminal,
      json,
      { to: address, kind: mailer.kind, via },
      mailer.kind === 'smtp'
        ? `${via} took the mail to ${address}. Look whether it arrives.\n`
        : `No mail server is set (LYCEUM_SMTP_URL): the mail is a file in ${via}.\n`,
    )
  })
}

export const mailCommand = (program: Command, terminal: Terminal) => {
  const mail = program.command('mail').description('manage outgoing mail')
  mail
    .command('test')
    .description('send a test mail and report the result')
    .argument('<address>', 'recipient')
    .option('--json', 'print machine-readable output')
    .action((address: string, { json }: { json?: true }) => test(terminal, address, json))
}
