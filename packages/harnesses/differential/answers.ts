import type { FuzzAnswer } from '../fuzz/send.ts'

/** Durations and request ids, which differ between the two servers. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/"execution_time":[\d.e+-]+/g, '"execution_time":0'],
  [/"request_id":"[^"]*"/g, '"request_id":""'],
  [/"response_time":\d+/g, '"response_time":0'],
]
/** Headers that depend on the connection or the time, or on a body that contains a duration. */
const LEFT_OUT = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'etag'])

export const masked = (text: string): string => MASKS.reduce((done, [find, put]) => done.replace(find, put), text)

/** The response in comparable form: status, headers and the exact body. */
export const comparable = ({ status, headers, text }: Pick<FuzzAnswer, 'status' | 'headers' | 'text'>): string => {
  const kept = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name))
  const lines = kept.map(([name, value]) => `${name}: ${String(value)}`).sort()
  return [status, ...lines, '', masked(text)].join('\n')
}

const AROUND = 160

/** The first difference between two texts, with its surroundings. */
export const parting = (a: string, b: string): string => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const part = (text: string) => JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND))
  return `after ${at} characters\n  sqlite:   ${part(a)}\n  postgres: ${part(b)}`
}
