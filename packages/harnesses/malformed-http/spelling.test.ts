import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exchange, type WireAnswer } from '#test/raw-socket.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

const ANONYMOUS = 100

let world: World
let port: number
let root: string
beforeEach(async () => {
  world = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
  port = Number(new URL(world.base).port)
  root = new URL(world.base).pathname
})
afterEach(() => world.close())

const ask = async (line: string, headers: readonly string[] = []): Promise<WireAnswer> => {
  const { answers } = await exchange(port, [[line, 'Host: x', ...headers, '', ''].join('\r\n')], { bodiless: line.startsWith('HEAD') })
  return answers[0] as WireAnswer
}

const remaining = (answer: WireAnswer) => Number(answer.headers.get('x-ratelimit-remaining'))

const SPOOFED = [
  'X-Forwarded-For: 1.2.3.4',
  'X-Forwarded-For: 1.2.3.4, 5.6.7.8',
  'X-Real-IP: 9.9.9.9',
  'Forwarded: for=8.8.8.8',
  'X-Client-IP: 7.7.7.7',
  'True-Client-IP: 6.6.6.6',
  'CF-Connecting-IP: 5.5.5.5',
  'X-Forwarded-Host: other',
  'X-Forwarded-Proto: https',
  'X-Cluster-Client-IP: 4.4.4.4',
]

/** The canonical URL of a list of feeds, and variants of it. */
const lines = () =>
  [
    '/feeds',
    '/feeds/',
    '//feeds',
    '/%66eeds',
    '/f%65%65ds',
    '/feeds?',
    '/feeds?page=1&page=2',
    '/feeds#x',
    '/FEEDS',
    '/feeds;x',
    '/./feeds',
    '/feeds/%zz',
    '/nowhere',
    '',
    '/',
    '/feeds/1/by-id',
    '/settings/public',
    '/openapi',
  ].flatMap((path) => ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'].map((method) => `${method} ${root}${path} HTTP/1.1`))

describe('the limit of an IP address', () => {
  test('counts every spelling and method, with every header that claims another address', async () => {
    let left = ANONYMOUS
    for (const [i, line] of lines().slice(0, ANONYMOUS).entries()) {
      const answer = await ask(line, [SPOOFED[i % SPOOFED.length] as string])
      left -= 1
      expect([line, remaining(answer)]).toEqual([line, left])
    }
    for (const line of lines()) {
      for (const spoofed of SPOOFED.slice(0, 2)) {
        const answer = await ask(line, [spoofed])
        expect([line, answer.status]).toEqual([line, 429])
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
    }
  })

  test('is not bypassed by wrong credentials', async () => {
    for (let i = 1; i <= ANONYMOUS; i++) {
      const answer = await ask(`GET ${root}/feeds HTTP/1.1`, [`Authorization: Basic ${Buffer.from(`u${i}:x`).toString('base64')}`])
      expect([401, 429]).toContain(answer.status)
    }
    expect((await ask(`GET ${root}/settings/public HTTP/1.1`)).status).toBe(429)
  })

  test('is not bypassed by an absolute URL or a path with dots', async () => {
    const answers = []
    for (const target of [`http://x${root}/feeds`, `http://other.example:1${root}/feeds`, `https://x${root}//feeds`])
      answers.push(remaining(await ask(`GET ${target} HTTP/1.1`)))
    expect(answers).toEqual([ANONYMOUS - 1, ANONYMOUS - 2, ANONYMOUS - 3])
    for (const target of [`/${root}/feeds`, `${root.replace('/api', '/api/')}/feeds`, `/x/..${root}/feeds`, `/%2e${root}/feeds`])
      expect([target, (await ask(`GET ${target} HTTP/1.1`)).status]).toEqual([target, 404])
  })
})

describe('the limit of an account', () => {
  let ana: Member
  test('counts every spelling and method', async () => {
    ana = await world.member()
    const authorization = `Authorization: Basic ${Buffer.from(`${ana.username}:${ana.password}`).toString('base64')}`
    let left = 1000
    for (const [i, line] of lines().entries()) {
      const answer = await ask(line, [authorization, SPOOFED[i % SPOOFED.length] as string])
      left -= 1
      expect([line, remaining(answer)]).toEqual([line, left])
    }
  })
})
