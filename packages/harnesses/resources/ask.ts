import { Agent, request } from 'node:http'
import { filePart, form } from '#test/media.ts'
import type { Stage } from './stage.ts'

export interface Answer {
  /** 0 without a response. */
  readonly status: number
  readonly ms: number
  /** The body as text, if requested. */
  readonly text: string
}

interface Asking {
  readonly authorization?: string
  readonly body?: object
  readonly file?: Buffer
  readonly wantsText?: boolean
  /** The client address in the header of a proxy. */
  readonly from?: string
  /** Uses its own connections. */
  readonly agent?: Agent
}

const common = new Agent({ keepAlive: true })

const payloadOf = ({ body, file }: Asking): { type: string; bytes: Buffer | string } | null => {
  if (body) return { type: 'application/json', bytes: JSON.stringify(body) }
  if (!file) return null
  return form([filePart(file)])
}

/** Requests a path under the API root, or under `//` a path of the server, and reads the response. */
export const ask = (stage: Stage, method: string, path: string, asking: Asking = {}): Promise<Answer> =>
  new Promise((resolve) => {
    const { authorization, agent = common, from = '10.2.0.1' } = asking
    const payload = payloadOf(asking)
    const started = performance.now()
    let text = ''
    const end = (status: number) => resolve({ status, ms: performance.now() - started, text })
    const url = path.startsWith('//') ? stage.crowd.origin + path.slice(1) : stage.server.base + path
    const headers = {
      'x-forwarded-for': from,
      ...(authorization && { authorization }),
      ...(payload && { 'content-type': payload.type, 'content-length': Buffer.byteLength(payload.bytes) }),
    }
    const sent = request(url, { method, agent, headers }, (response) => {
      if (asking.wantsText) response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      else response.resume()
      response.once('close', () => end(response.statusCode ?? 0))
    })
    sent.once('error', () => end(0))
    sent.end(payload?.bytes)
  })
