import { Agent, request } from 'node:http'
import { filePart, form } from '#test/media.ts'
import type { Stage } from './stage.ts'

export interface Answer {
  /** 0 where there was none. */
  readonly status: number
  readonly ms: number
  /** The body as text, if it was asked for. */
  readonly text: string
}

interface Asking {
  readonly authorization?: string
  readonly body?: object
  readonly file?: Buffer
  readonly wantsText?: boolean
  /** The address that it comes from, as a proxy tells it. */
  readonly from?: string
  /** Keeps its connections to itself. */
  readonly agent?: Agent
}

const common = new Agent({ keepAlive: true })

const payloadOf = ({ body, file }: Asking): { type: string; bytes: Buffer | string } | null => {
  if (body) return { type: 'application/json', bytes: JSON.stringify(body) }
  if (!file) return null
  return form([filePart(file)])
}

/** Asks for a path under the API root, or under `//` for one of the server, and reads the answer. */
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
