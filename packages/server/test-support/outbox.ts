import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import type { World } from './world.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  /** The raw mail: both parts with headers. */
  readonly source: string
}

/** Every registration sends one; few tests are about it. */
const isWelcome = (source: string) => /^Subject: Welcome to /m.test(source)

/** Mails sent so far, oldest first, without welcome mails. Tests have no mail server, so they are files in the outbox. */
export const outbox = (world: World): Mail[] => {
  const folder = join(world.app.services.config.dataDir, 'outbox')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((source) => !isWelcome(source))
    .map((source) => ({
      to: /^To: (.*)$/m.exec(source)?.[1]?.trim() ?? '',
      subject: /^Subject: (.*)$/m.exec(source)?.[1]?.trim() ?? '',
      source,
    }))
}

/** The token of the newest link mailed to an address. */
export const tokenMailedTo = (world: World, address: string): string => {
  const mail = outbox(world).findLast(({ to }) => to.includes(address))
  const token = /\/reset-password\?token=3?D?([A-Za-z0-9_-]{43})/.exec(mail?.source ?? '')?.[1]
  if (!token) throw new Error(`no link was mailed to ${address}`)
  return token
}

/** The token of the newest link to a page in a mail to an address; empty if there is none. */
export const linkTokenTo = (
  world: World,
  address: string,
  page: 'reset-password' | 'verify-email' | 'confirm-email' | 'undo-email-change',
) => {
  const link = new RegExp(`/${page}\\?token=3?D?([A-Za-z0-9_-]{43})`)
  const mail = outbox(world).findLast(({ to, source }) => to.includes(address) && link.test(source))
  return link.exec(mail?.source ?? '')?.[1] ?? ''
}

/** A mail server that rejects temporarily until it is opened. */
export const startPostOffice = async () => {
  const received: string[] = []
  let closed = true
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(closed ? Object.assign(new Error('Try again later'), { responseCode: 451 }) : null),
    onData: (stream, _session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part) => parts.push(part))
      stream.on('end', () => {
        const source = Buffer.concat(parts).toString('utf8')
        if (!isWelcome(source)) received.push(source)
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    open: () => {
      closed = false
    },
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}
