import { Agent, request } from 'node:http'

/** A response, or the failure of a request. */
export interface Reply {
  /** 0 without a response. */
  readonly status: number
  readonly code: string
  // biome-ignore lint/suspicious/noExplicitAny: what an endpoint answers is what the harness is about
  readonly body: any
  readonly headers: NodeJS.Dict<string | string[]>
  /** Start time, by this process's clock. */
  readonly begun: number
  readonly ms: number
}

export type Headers = Readonly<Record<string, string>>

/** Sends requests with these headers over persistent connections. */
export interface Caller {
  call(method: string, path: string, body?: object, headers?: Headers): Promise<Reply>
  close(): void
}

/** Longer than any response may take. */
const GIVE_UP_MS = 20_000

const parsed = (text: string): { readonly code?: string } | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const succeeded = ({ status }: { readonly status: number }) => status === 200 || status === 201

export const callerOf = (base: string, own: Headers): Caller => {
  const agent = new Agent({ keepAlive: true })
  return {
    call: (method, path, body, further) =>
      new Promise((resolve) => {
        const begun = performance.now()
        const text = body === undefined ? '' : JSON.stringify(body)
        const headers = { ...own, ...(body !== undefined && { 'content-type': 'application/json' }), ...further }
        const reply = (status: number, received: string, answered: Reply['headers']) => {
          const known = parsed(received)
          resolve({ status, code: known?.code ?? '', body: known, headers: answered, begun, ms: performance.now() - begun })
        }
        const sent = request(base + path, { agent, method, headers, timeout: GIVE_UP_MS }, (response) => {
          let received = ''
          response.setEncoding('utf8')
          response.on('data', (chunk) => {
            received += chunk
          })
          response.on('error', () => {})
          response.on('close', () => reply(response.statusCode ?? 0, received, response.headers))
        })
        sent.on('timeout', () => sent.destroy())
        sent.on('error', () => reply(0, '', {}))
        sent.end(text)
      }),
    close: () => agent.destroy(),
  }
}
