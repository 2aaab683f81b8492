import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import pino from 'pino'
import type { Log } from '../../server/src/observability/log.ts'
import { createOutbound, type Outbound, type OutboundOptions } from '../../server/src/outbound/index.ts'
import { MISBEHAVIORS, slug } from './misbehaviors.ts'

export interface PeerRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The response was correct. */
  readonly honest: boolean
}

/**
 * A server that misbehaves as the path or query of a request says, until it is healed; other requests are handled by `honest`. A second
 * listener must never receive a request.
 */
export const startPeer = async (
  honest: (response: ServerResponse, request: IncomingMessage) => void = (response) => void response.end('ok'),
) => {
  const seen: PeerRequest[] = []
  let healed = false
  let elsewhere = 0
  const forbidden = createServer((_request, response) => response.end('secret'))
  forbidden.on('connection', () => {
    elsewhere += 1
  })
  forbidden.listen(0, '127.0.0.1')
  await once(forbidden, 'listening')
  const away = `http://127.0.0.1:${(forbidden.address() as AddressInfo).port}/`
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      const named = slug(decodeURIComponent(path.replaceAll('+', ' ')))
      const lie = healed ? undefined : MISBEHAVIORS.find(({ name }) => named.includes(slug(name)))
      seen.push({ path, headers, text: Buffer.concat(chunks).toString(), honest: !lie })
      if (lie) lie.answer(response, request, away)
      else honest(response, request)
    })
  }
  const servers = [forbidden]
  const listen = async () => {
    const server = createServer(answer)
    server.on('connection', (socket) => socket.on('error', () => {}))
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  return {
    url: await listen(),
    /** A second address of the same server: clients limit the connections per address. */
    another: listen,
    seen,
    /** Connections to the redirect target. */
    elsewhere: () => elsewhere,
    heal: (now = true) => {
      healed = now
    },
    stop: async () => {
      for (const one of servers) {
        one.closeAllConnections()
        one.close()
        await once(one, 'close')
      }
    },
  }
}

export type Peer = Awaited<ReturnType<typeof startPeer>>

/** The real client with short timeouts. */
export const clientWithTimeout = (timeoutMs: number, options: Partial<OutboundOptions> = {}): Outbound => {
  const real = createOutbound({ allow: ['127.0.0.0/8'], ...options })
  return {
    request: (url, given = {}) => real.request(url, { ...given, timeoutMs: Math.min(timeoutMs, given.timeoutMs ?? timeoutMs) }),
    close: () => real.close(),
  }
}

/** A client without deadline and size limit that follows every redirect. */
export const clientWithoutLimits = (): Outbound => ({
  request: async (url, { method = 'GET', headers = {}, body } = {}) => {
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body: body as string }) })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: bytes, url: answer.url }
  },
  close: async () => {},
})

/** A log that stores every line without redaction. */
export const unredactedLog = (): { readonly log: Log; readonly text: () => string } => {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: pino({ level: 'trace', base: null }, stream), text: () => lines.join('') }
}
