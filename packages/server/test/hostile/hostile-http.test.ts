import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { abort, type Exchange, exchange, type WireAnswer } from '../wire.ts'
import { createWorld, type Member, type World } from '../world.ts'
import { type Case, casesFor } from './cases.ts'

const FAST_MS = 1000
const AT_ONCE = 8
const PATIENCE_MS = 120_000

let world: World
let ana: Member
let port: number
let root: string
let authorization: string
beforeAll(async () => {
  world = await createWorld({ patience: { head: 300, request: 400, silence: 2000 } })
  ana = await world.member()
  const base = new URL(world.base)
  port = Number(base.port)
  root = base.pathname
  authorization = `Basic ${Buffer.from(`${ana.username}:${ana.password}`).toString('base64')}`
})
afterAll(() => world.close())

/** What is wrong with one answer of the server to something hostile. */
const wrongWith = ({ status, headers, body }: WireAnswer): string | null => {
  if (!(status >= 200 && status < 500)) return `status ${status}`
  const missing = ['x-request-id', 'x-ratelimit-limit', 'x-content-type-options'].filter((name) => !headers.has(name))
  if (missing.length > 0) return `${status} without ${missing.join(', ')}`
  if (status < 400) return null
  let error: { code?: unknown; message?: unknown; data?: { status?: unknown } }
  try {
    error = JSON.parse(body) as typeof error
  } catch {
    return `${status} with ${JSON.stringify(body.slice(0, 100))}`
  }
  const good = typeof error.code === 'string' && typeof error.message === 'string' && error.data?.status === status
  return good ? null : `${status} off its shape: ${body.slice(0, 200)}`
}

const judge = ({ must }: Case, { answers, closed, rest }: Exchange): string[] => {
  const problems = answers.map(wrongWith).filter((text) => text !== null)
  if (answers.length === 0 && !closed) problems.push('is neither answered nor cut')
  if (rest !== '') problems.push(`something is left: ${JSON.stringify(rest.slice(0, 100))}`)
  if (must === 'be answered' && answers.length === 0) problems.push('is not answered')
  if (must !== 'be answered' && answers.some(({ status }) => status < 400))
    problems.push(`succeeds: ${answers.map(({ status }) => status).join(' ')}`)
  if (must === 'be cut' && (!closed || answers.length > 1))
    problems.push(`goes on: ${answers.length} answers, ${closed ? 'closed' : 'open'}`)
  return problems
}

/** Runs cases some at a time; each again by itself where it was slow or wrong, since the machine may have much else to do. */
const run = async (cases: readonly Case[]) => {
  const waiting = [...cases]
  const found: string[] = []
  const times: number[] = []
  const lane = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      let result = await exchange(port, one.pieces, one.options)
      if (result.ms > FAST_MS) result = await exchange(port, one.pieces, one.options)
      times.push(result.ms)
      const problems = [...judge(one, result), ...(result.ms > FAST_MS ? [`takes ${Math.round(result.ms)} ms`] : [])]
      if (problems.length > 0) found.push(`${one.name}: ${problems.join('; ')}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return { found, slowest: Math.max(...times) }
}

const countFeeds = async () => (await world.app.services.database.read.selectFrom('feeds').select('id').execute()).length

test(
  'hostile requests are refused or cut, quickly, and leave the server as it was',
  async () => {
    const prototype = Reflect.ownKeys(Object.prototype).length
    const cases = casesFor({ root, authorization })
    expect(cases.length).toBeGreaterThan(300)
    const { found, slowest } = await run(cases)
    console.log(`hostile HTTP: cases=${cases.length} wrong=${found.length} slowest=${Math.round(slowest)} ms`)
    expect(found).toEqual([])
    expect(await countFeeds()).toBe(0)
    expect(Reflect.ownKeys(Object.prototype).length).toBe(prototype)
    expect((await ana.api.feeds.list()).feeds.total).toBe(0)
    expect((await world.request('GET', '//health/ready')).status).toBe(200)
  },
  PATIENCE_MS,
)
