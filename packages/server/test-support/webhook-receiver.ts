import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The raw body; `body` is the parsed one. */
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the test inspects arbitrary bodies
  readonly body: any
}

/** A local server that records requests. It responds with 200 unless `answer` overrides it. */
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
    /** Deliveries of one event. */
    of: (event: string) => seen.filter(({ body }) => body?.event === event),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Allows the loopback addresses of test receivers. */
export const LOOPBACK = { LYCEUM_OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' }
