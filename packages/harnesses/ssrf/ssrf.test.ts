import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { createOutbound, type OutboundOptions } from '../../server/src/outbound/index.ts'
import { type Watch, watch } from './attempts.ts'
import { ENTRIES, SINKS } from './sinks.ts'
import { at, isNumber, leadsHere, SPELLINGS, type Spelling } from './spellings.ts'
import { closedPort, makeStage, type Stage } from './stage.ts'

/** Loopback in every form that reaches this machine; others of 0.0.0.0/8 may be dropped on the way, without an answer. */
const OPEN = ['0.0.0.0/32', '127.0.0.0/8', '::/127']
const portsOf = ({ world, site }: Stage): number[] => [
  site.port,
  Number(new URL(world.base).port),
  ...(world.app.services.config.databaseUrl ? [Number(new URL(world.app.services.config.databaseUrl).port || 5432)] : []),
]

/** The unit tests of the client try every spelling; short runs use some of each notation to show that everything uses that client. */
const spellings: readonly Spelling[] = SOAK > 1 ? SPELLINGS : SPELLINGS.filter((_, i) => i % 11 === 0)
/** PostgreSQL cannot store NUL characters. */
const stored = (spellings: readonly Spelling[]) => spellings.filter(({ text }) => !text.includes('\u0000'))

describe('no spelling of an address', () => {
  let stage: Stage
  let seen: Watch
  beforeAll(async () => {
    stage = await makeStage()
    seen = await watch(portsOf(stage))
  })
  afterAll(async () => {
    await seen.stop()
    await stage.close()
  })
  beforeEach(() => seen.reset())

  test.each(ENTRIES.map(({ name }) => name))('is connected to when it is entered as %s', { timeout: 120_000 }, async (name) => {
    const { enter } = ENTRIES.find((entry) => entry.name === name)!
    const taken: string[] = []
    for (const spelling of spellings) {
      const { status } = await enter(stage, at(spelling, seen.port))
      if (status !== 400 && isNumber(spelling)) taken.push(`${status} ${spelling.text}`)
    }
    await stage.world.runPendingJobs()
    expect({ taken, attempts: seen.attempts, connections: seen.connections() }).toEqual({ taken: [], attempts: [], connections: 0 })
    report({ entry: name, spellings: spellings.length, connections: seen.connections() })
  })

  test.each(SINKS.map(({ name }) => name))('is connected to as the address of a %s', { timeout: 120_000 }, async (name) => {
    const { use } = SINKS.find((sink) => sink.name === name)!
    const urls = stored(spellings)
    await use(
      stage,
      urls.map((spelling) => at(spelling, seen.port)),
    )
    expect({ attempts: seen.attempts, connections: seen.connections() }).toEqual({ attempts: [], connections: 0 })
    report({ sink: name, spellings: urls.length, connections: seen.connections() })
  })
})

/** Names that resolve to changing or multiple addresses. */
const moving = (address: string) => {
  const asked = new Map<string, number>()
  const answers: Readonly<Record<string, (times: number) => readonly string[]>> = {
    'turning.invalid': (times) => [times === 0 ? address : '127.0.0.1'],
    'both.invalid': () => [address, '127.0.0.1'],
    'six.invalid': () => ['::ffff:127.0.0.1', address],
    'wild.invalid': () => ['0.0.0.0'],
    'cloud.invalid': () => ['169.254.169.254'],
  }
  const resolve: NonNullable<OutboundOptions['resolve']> = async (name) => {
    const times = asked.get(name) ?? 0
    asked.set(name, times + 1)
    return (answers[name]?.(times) ?? []).map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 }))
  }
  return { resolve, names: Object.keys(answers), forget: () => asked.clear() }
}

test('no DNS response, changing or not, leads an outbound request to a forbidden address', { timeout: 60_000 }, async () => {
  const probe = await makeStage()
  const { address } = probe.site
  await probe.close()
  const names = moving(address)
  const stage = await makeStage([], createOutbound({ allow: [address], resolve: names.resolve }))
  const seen = await watch(portsOf(stage))
  for (const { name, use } of SINKS) {
    names.forget()
    for (let times = 0; times < 2; times++) {
      const urls = names.names.map((host) => `http://${host}:${seen.port}/${name.replaceAll(' ', '-')}/${times}`)
      await use(stage, urls)
    }
    const elsewhere = seen.attempts.filter((attempt) => attempt !== `${address} ${seen.port}`)
    expect({ name, elsewhere, connections: seen.connections() }).toEqual({ name, elsewhere: [], connections: 0 })
    // The first, allowed address was tried, so the names were resolved.
    expect({ name, tried: seen.attempts.length > 0 }).toEqual({ name, tried: true })
    seen.reset()
  }
  await seen.stop()
  await stage.close()
})

test('responses are the same whether or not something is listening', { timeout: 60_000 }, async () => {
  const stage = await makeStage()
  const seen = await watch(portsOf(stage))
  const closed = await closedPort()
  const some = stored(SPELLINGS).filter((spelling, i) => isNumber(spelling) && i % 40 === 0 && spelling.text.includes('{port}'))
  const plain = (text: string, port: number) => text.replaceAll(String(port), 'PORT').replaceAll(/page-\d+/g, 'page')
  const told = async (port: number) => {
    const texts: string[] = []
    for (const { name, use } of SINKS) {
      const answers = await use(
        stage,
        some.map((spelling) => at(spelling, port)),
      )
      texts.push(...answers.map((text, i) => `${name} ${some[i]?.text}: ${plain(text, port)}`))
    }
    for (const { name, enter } of ENTRIES) {
      for (const spelling of some) {
        const { status, text } = await enter(stage, at(spelling, port))
        texts.push(`${name} ${spelling.text}: ${status} ${plain(text, port)}`)
      }
    }
    return texts
  }
  const open = await told(seen.port)
  expect(open.length).toBeGreaterThan(100)
  expect(await told(closed)).toEqual(open)
  await seen.stop()
  await stage.close()
})

test('control: if loopback addresses are allowed, every outbound request and every field reaches the listeners', {
  timeout: 60_000,
}, async () => {
  const stage = await makeStage(OPEN)
  const seen = await watch(portsOf(stage))
  const urls = stored(SPELLINGS)
    .filter((spelling, i) => leadsHere(spelling) && i % 9 === 0)
    .map((spelling) => at(spelling, seen.port))
  const reached: Record<string, boolean> = {}
  for (const { name, use } of SINKS) {
    seen.reset()
    await use(stage, urls)
    reached[name] = seen.attempts.length > 0 && seen.connections() > 0
  }
  const taken: Record<string, boolean> = {}
  for (const { name, enter } of ENTRIES) taken[name] = (await enter(stage, `http://127.0.0.1:${seen.port}/`)).status < 300
  await seen.stop()
  await stage.close()
  expect(reached).toEqual(Object.fromEntries(SINKS.map(({ name }) => [name, true])))
  expect(taken).toEqual(Object.fromEntries(ENTRIES.map(({ name }) => [name, true])))
})
