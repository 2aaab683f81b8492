import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { report } from '#test/scale.ts'
import { couldBeReached, createOutbound, OutboundError, type OutboundOptions } from '../../server/src/outbound/index.ts'
import { type Watch, watch } from './attempts.ts'
import { at, isNumber, leadsHere, SPELLINGS } from './spellings.ts'

/** Loopback in every form that reaches this machine; others of 0.0.0.0/8 may be dropped on the way, without an answer. */
const OPEN = ['0.0.0.0/32', '127.0.0.0/8', '::/127']
const TIMEOUT_MS = 2000

let seen: Watch
beforeAll(async () => {
  seen = await watch([])
})
afterAll(() => seen.stop())
beforeEach(() => seen.reset())

type Resolve = NonNullable<OutboundOptions['resolve']>
const family = (address: string) => (address.includes(':') ? 6 : 4)
const answers =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: family(address) }))

const outcome = async (url: string, setup: Partial<OutboundOptions>): Promise<string> => {
  const outbound = createOutbound({ allow: [], ...setup })
  try {
    return String((await outbound.request(url, { timeoutMs: TIMEOUT_MS })).status)
  } catch (error) {
    return error instanceof OutboundError ? `${error.reason}: ${error.message}` : `${error}`
  } finally {
    await outbound.close()
  }
}

const run = async (allow: readonly string[]) => {
  const told = new Map<string, string>()
  for (const spelling of SPELLINGS)
    told.set(spelling.text, await outcome(at(spelling, seen.port), { allow, resolve: answers('127.0.0.1') }))
  return told
}

test('no spelling of an address makes the client connect, or reveals what is listening', async () => {
  const told = await run([])
  expect({ attempts: seen.attempts, connections: seen.connections() }).toEqual({ attempts: [], connections: 0 })
  expect([...told].filter(([, text]) => !text.startsWith('refused: '))).toEqual([])
  report({ spellings: SPELLINGS.length, addresses: seen.addresses.join('+'), connections: seen.connections() })
})

test('control: if loopback addresses are allowed, every spelling of one connects', async () => {
  await run(OPEN)
  const here = SPELLINGS.filter(leadsHere)
  expect(here.length).toBeGreaterThan(100)
  expect(seen.connections()).toBeGreaterThan(0)
  const silent: string[] = []
  for (const spelling of here) {
    seen.reset()
    const told = await outcome(at(spelling, seen.port), { allow: OPEN, resolve: answers('127.0.0.1') })
    if (seen.attempts.length === 0 && !told.includes('credentials')) silent.push(`${spelling.text} ${told}`)
  }
  expect(silent).toEqual([])
})

test('an address is judged alike when it is entered and when it is connected', async () => {
  const taken: string[] = []
  for (const spelling of SPELLINGS) {
    if (await couldBeReached(at(spelling, seen.port), [], answers('127.0.0.1'))) taken.push(spelling.text)
  }
  expect(taken).toEqual([])
  expect(SPELLINGS.filter(isNumber).length).toBeGreaterThan(300)
})

const PUBLIC = '93.184.215.14'
const FORBIDDEN = [
  '127.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '169.254.169.254',
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fe80::1%lo',
  'fd00:ec2::254',
]

test('a hostname is refused if any of its addresses is forbidden, at any position', async () => {
  for (const bad of FORBIDDEN) {
    for (const list of [[bad], [PUBLIC, bad], [bad, PUBLIC], [PUBLIC, '2606:4700::1111', bad], ['2606:4700::1111', bad]]) {
      expect(await outcome('https://name.test/', { resolve: answers(...list) })).toBe('refused: That address may not be reached.')
      expect(await couldBeReached('https://name.test/', [], answers(...list))).toBe(false)
    }
  }
  expect(seen.attempts).toEqual([])
})

test('DNS responses that change between the check and the connection have no effect', async () => {
  for (const bad of FORBIDDEN) {
    let asked = 0
    const resolve: Resolve = async (name) => answers(asked++ === 0 ? PUBLIC : bad)(name)
    expect(await couldBeReached('https://name.test/', [], resolve)).toBe(true)
    expect(await outcome('https://name.test/', { resolve })).toBe('refused: That address may not be reached.')
    expect(asked).toBe(2)
  }
  expect(seen.attempts).toEqual([])
})

test('a DNS server that is silent or sends garbage is given up within the timeout', async () => {
  const started = performance.now()
  expect(await outcome('https://name.test/', { resolve: () => new Promise(() => {}) })).toMatch(/^timeout: /)
  expect(performance.now() - started).toBeLessThan(TIMEOUT_MS + 1000)
  for (const nonsense of ['', 'x', 'localhost', '127.1', '0x7f000001', '999.1.1.1', '[::1]'])
    expect(await outcome('https://name.test/', { resolve: answers(nonsense) })).toMatch(/^(refused|unreachable): /)
  expect(seen.attempts).toEqual([])
})
