import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail as parsed by a mail client. */
export interface ReadMail {
  readonly to: string
  readonly mail: Email
  /** By lower-case name; the last occurrence wins. */
  readonly headers: ReadonlyMap<string, string>
}

/** A real mail server that stores mails, and can reject temporarily. */
export const startMailbox = async () => {
  const sources: { to: string; source: Buffer }[] = []
  let open = true
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(open ? null : Object.assign(new Error('Try again later'), { responseCode: 451 })),
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part) => parts.push(part))
      stream.on('end', () => {
        sources.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), source: Buffer.concat(parts) })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')

  const read = async ({ to, source }: { to: string; source: Buffer }): Promise<ReadMail> => {
    const mail = await PostalMime.parse(source)
    return { to, mail, headers: new Map(mail.headers.map(({ key, value }) => [key, value])) }
  }

  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    /** Mails since the last call, optionally to one address, without welcome mails. */
    take: async (to?: string): Promise<ReadMail[]> => {
      const taken = sources.filter((one) => to === undefined || one.to === to)
      for (const one of taken) sources.splice(sources.indexOf(one), 1)
      return (await Promise.all(taken.map(read))).filter(({ mail }) => !mail.subject?.startsWith('Welcome to '))
    },
    /** All raw mails. */
    sources,
    putOff: (off: boolean) => {
      open = !off
    },
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>
