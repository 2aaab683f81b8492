import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Community } from './community.ts'
import { type FuzzRequest, pathOf, textOf } from './requests.ts'

export interface FuzzAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly ms: number
}

export const headersOf = (community: Pick<Community, 'credentials'>, request: FuzzRequest): Record<string, string> => {
  const body = textOf(request)
  return {
    ...community.credentials(request),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...request.headers,
  }
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }

/** The request may have asked for a compressed response. */
const decoded = (bytes: Buffer, { 'content-encoding': encoding = '' }: IncomingHttpHeaders): string => {
  const decode = DECODERS[encoding]
  return (decode && bytes.length > 0 ? decode(bytes) : bytes).toString('utf8')
}

const overSocket = (community: Community, agent: Agent, request: FuzzRequest): Promise<Omit<FuzzAnswer, 'ms'>> =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(community.base)
    const body = textOf(request)
    const sent = httpRequest(
      {
        agent,
        hostname,
        port,
        method: request.method,
        path: pathname + pathOf(request),
        headers: { ...headersOf(community, request), ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response
          resolve({ status, headers, text: decoded(Buffer.concat(chunks), headers) })
        })
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

export interface Sender {
  /** Injected directly into the app; over a real connection where the path must arrive unchanged, and for every `sample`-th request. */
  send(request: FuzzRequest): Promise<FuzzAnswer>
  close(): void
}

export const createSender = (community: Community, sample: number): Sender => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  let sent = 0
  const overConnection = async (request: FuzzRequest) => {
    try {
      return await overSocket(community, agent, request)
    } catch (error) {
      // The server may close an idle connection; the client notices only when it sends again.
      if ((error as { code?: string }).code !== 'ECONNRESET' && (error as { code?: string }).code !== 'EPIPE') throw error
      return overSocket(community, agent, request)
    }
  }
  return {
    send: async (request) => {
      sent += 1
      const started = performance.now()
      if (request.raw || sent % sample === 0) {
        const answer = await overConnection(request)
        return { ...answer, ms: performance.now() - started }
      }
      const body = textOf(request)
      const answer = await community.app.http.inject({
        method: request.method as 'GET',
        url: new URL(community.base).pathname + pathOf(request),
        headers: headersOf(community, request),
        ...(body !== undefined && { payload: body }),
      })
      const ms = performance.now() - started
      const headers = answer.headers as IncomingHttpHeaders
      return { status: answer.statusCode, headers, text: decoded(answer.rawPayload, headers), ms }
    },
    close: () => agent.destroy(),
  }
}
