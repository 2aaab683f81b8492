import type { FuzzAnswer } from '../fuzz/send.ts'

/** What tells how long something took, or names the request. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/"execution_time":[\d.e+-]+/g, '"execution_time":0'],
  [/"request_id":"[^"]*"/g, '"request_id":""'],
  [/"response_time":\d+/g, '"response_time":0'],
]
/** Of the connection, of this moment, or of a body that tells how long it took. */
const LEFT_OUT = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'etag'])

export const masked = (text: string): string => MASKS.reduce((done, [find, put]) => done.replace(find, put), text)

/** An answer as it has to be on both: status, headers and every byte of the body. */
export const comparable = ({ status, headers, text }: Pick<FuzzAnswer, 'status' | 'headers' | 'text'>): string => {
  const kept = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name))
  const lines = kept.map(([name, value]) => `${name}: ${String(value)}`).sort()
  return [status, ...lines, '', masked(text)].join('\n')
}

const AROUND = 160

/** Where two texts part, with what stands around it. */
export const parting = (a: string, b: string): string => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const part = (text: string) => JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND))
  return `after ${at} characters\n  sqlite:   ${part(a)}\n  postgres: ${part(b)}`
}
