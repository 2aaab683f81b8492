import { Agent, request } from 'node:http'

export interface Answer {
  readonly status: number
  /** Undefined if it was truncated: the status alone shows that the write was done. */
  // biome-ignore lint/suspicious/noExplicitAny: the response type depends on the endpoint
  readonly body: any
  readonly replayed: boolean
}

/** A client with a persistent connection. A request without a response, for any reason, returns null: its outcome is unknown. */
export interface Connection {
  send(method: string, path: string, body?: object, key?: string): Promise<Answer | null>
  close(): void
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const connect = (base: string, authorization: string): Connection => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: (method, path, body, key) =>
      new Promise((resolve) => {
        const text = body === undefined ? '' : JSON.stringify(body)
        const headers = {
          authorization,
          ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...(key !== undefined && { 'idempotency-key': key }),
        }
        const sent = request(base + path, { agent, method, headers }, (response) => {
          const { statusCode: status = 0, headers: answered } = response
          const replayed = answered['idempotency-replayed'] === 'true'
          let received = ''
          response.setEncoding('utf8')
          response.on('data', (chunk) => {
            received += chunk
          })
          response.on('close', () => resolve({ status, body: response.complete ? parsed(received) : undefined, replayed }))
          response.on('error', () => {})
        })
        sent.on('error', () => resolve(null))
        sent.end(text)
      }),
    close: () => agent.destroy(),
  }
}
