import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body as it came, and what it says. */
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is what the test is about
  readonly body: any
}

/** A server of somebody else on this machine, which keeps what it is sent. It answers 200 unless `answer` does something else. */
export const startReceiver = async (
  answer: (got: Received, response: ServerResponse) => void = (_got, response) => void response.end('ok'),
) => {
  const seen: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { method = '', url: path = '', headers } = request
      const got = { method, path, headers, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
      seen.push(got)
      answer(got, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** What came of one event. */
    of: (event: string) => seen.filter(({ body }) => body?.event === event),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Ranges in which the receivers of tests stand. */
export const LOOPBACK = { LYCEUM_OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' }
