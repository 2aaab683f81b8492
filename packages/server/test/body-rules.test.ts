import { api, type Route, type Routes } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rollBackWrites } from '#test/rollback-helper.ts'
import { SOAK } from '#test/scale.ts'
import { everything } from '#test/tables.ts'
import { BODIES, fill, makeScene, type Scene, WRITES } from '#test/valid-bodies.ts'
import { createWorld, type Member, type RawAnswer, type World } from '#test/world.ts'

interface Field {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Field>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly 'x-explicit'?: true
}

let world: World
let administrator: Member
let student: Member
let scene: Scene

beforeAll(async () => {
  world = await createWorld()
  administrator = await world.member({ role: 'admin' })
  const other = await world.member()
  student = other
  const [author, member, spaceModerator, spaceAdmin] = [
    await world.member(),
    await world.member(),
    await world.member(),
    await world.member(),
  ]
  const password = (await other.api.account.applicationPasswords()).data[0]?.id as number
  scene = await makeScene(world, { author, member, spaceModerator, spaceAdmin, administrator, other, password })
})
afterAll(() => world.close())

/** Parsing needs no database, so a sample is enough on PostgreSQL. */
const sampled = <T>(all: readonly T[]): T[] =>
  all.filter((_, i) => process.env['LYCEUM_TEST_DATABASE'] !== 'postgres' || SOAK > 1 || i % 8 === 0)

const typesOf = ({ type = [] }: Field) => (typeof type === 'string' ? [type] : type)
const withBody = WRITES.filter(({ route }) => route.body && route.consumes !== 'multipart')
/** Accepts any key and reports unknown settings itself. */
const OPEN = 'settings.save'
const closed = sampled(withBody.filter(({ id }) => id !== OPEN))

const send = (route: Route, body: object): Promise<RawAnswer> =>
  // Quizzes require an enrolled student.
  (route.path.endsWith('/quiz/submit') ? student : administrator).raw(route.method, fill(route.path, scene), body)
const said = ({ status, body }: RawAnswer) => `${status} ${(body as { code?: string }).code ?? ''}`

describe('a body without any known field', () => {
  const names = { nonsense: 'x', 'more nonsense': { title: 'y' } }
  const NOT_A_FIELD = 'is not a field of this request'

  test.each(closed)('is refused by $id and changes nothing', async ({ route }) => {
    const before = await everything(world)
    const { status, body } = await send(route, names)
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'invalid_data', data: { errors: { nonsense: NOT_A_FIELD, 'more nonsense': NOT_A_FIELD } } },
    })
    expect([...(await everything(world))]).toEqual([...before])
  })

  test('is refused by a map of settings too', async () => {
    expect(said(await administrator.raw('PUT', '/settings', names))).toBe('400 invalid_setting_key')
  })

  const objects = closed.flatMap(({ id, route }) => {
    const { properties = {}, required = [] } = route.body as Field
    return Object.entries(properties).flatMap(([name, field]) =>
      required.length === 0 && field.properties && field.additionalProperties !== true ? [{ id, route, name }] : [],
    )
  })
  test.each(objects)('is refused by $id inside $name too', async ({ route, name }) => {
    const before = await everything(world)
    const { status, body } = await send(route, { [name]: { nonsense: true } })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'invalid_data', data: { errors: { [`${name}.nonsense`]: NOT_A_FIELD } } },
    })
    expect([...(await everything(world))]).toEqual([...before])
  })

  test('is accepted if another field is known, or if nothing is sent', async () => {
    const one = await administrator.raw('POST', '/moderation/config', { nonsense: 1, auto_moderation: { nonsense: 1, enabled: true } })
    expect(one).toMatchObject({ status: 200, body: { config: { auto_moderation: { enabled: true } } } })
    expect((await administrator.raw('POST', '/moderation/config', {})).status).toBe(200)
    expect((await administrator.raw('POST', '/notifications/mark-all-read', { nonsense: 1 })).status).toBe(200)
  })
})

describe('null and empty values are equivalent to omitted fields:', () => {
  const ofText = (field: Field) => typesOf(field).includes('string')

  test.each(sampled(withBody))('$id', { timeout: 60_000 }, async ({ id, route }) => {
    const { properties = {}, required = [] } = route.body as Field
    const honest = BODIES[id]?.(scene, administrator) ?? {}
    const end = rollBackWrites(world)
    try {
      for (const [name, field] of Object.entries(properties)) {
        const types = typesOf(field)
        if (required.includes(name) || types.length === 0) continue
        const { [name]: _own, ...rest } = honest as Record<string, unknown>
        const without = said(await send(route, rest))
        const nulled = said(await send(route, { ...rest, [name]: null }))
        if (field['x-explicit']) expect([name, nulled]).toEqual([name, '400 invalid_data'])
        // A declared null has a meaning of its own and is accepted.
        else if (types.includes('null')) expect([name, nulled]).not.toEqual([name, '400 invalid_data'])
        else expect([name, nulled]).toEqual([name, without])
        if (!ofText(field) && !field['x-explicit'])
          expect([name, said(await send(route, { ...rest, [name]: '' }))]).toEqual([name, without])
      }
    } finally {
      end()
    }
  })

  const stringified = (value: unknown): unknown => {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    return Array.isArray(value) ? value.map(stringified) : value
  }
  test.each(sampled(withBody.filter(({ id }) => id !== OPEN)))('numbers and flags of $id sent as text', async ({ id, route }) => {
    const honest = BODIES[id]?.(scene, administrator) ?? {}
    const asText = Object.fromEntries(Object.entries(honest).map(([name, value]) => [name, stringified(value)]))
    const end = rollBackWrites(world)
    try {
      const plain = said(await send(route, honest))
      expect(said(await send(route, asText))).toBe(plain)
    } finally {
      end()
    }
  })
})

const READS = Object.entries(api as Record<string, Routes>).flatMap(([group, routes]) =>
  Object.entries(routes).flatMap(([name, route]) =>
    route.method === 'GET' && route.query && route.produces !== 'events' ? [{ id: `${group}.${name}`, route }] : [],
  ),
)
/** Query parameters that are required. */
const NEEDED: Readonly<Record<string, string>> = {
  date_from: '2026-03-01',
  date_to: '2026-03-09',
  q: 'member',
  search: 'member',
  url: 'https://example.org/',
}

describe('a query parameter without a value is ignored:', () => {
  const plain = ({ status, body, text }: RawAnswer) => [status, body ? { ...body, execution_time: 0 } : text]

  test.each(sampled(READS))('$id', async ({ route }) => {
    const { properties = {}, required = [] } = route.query as Field
    const path = fill(route.path, scene, { option_slug: 'a' })
    const ask = (query: Record<string, string>) => administrator.raw('GET', `${path}?${new URLSearchParams(query)}`)
    const base = Object.fromEntries(required.map((name) => [name, NEEDED[name] ?? '']))
    for (const name of Object.keys(properties)) {
      const { [name]: _own, ...rest } = base
      const empty = await ask({ ...rest, [name]: '' })
      if (name === 'per_page') expect([name, said(empty)]).toEqual([name, '400 invalid_parameter'])
      else expect([name, plain(empty)]).toEqual([name, plain(await ask(rest))])
    }
  })
})
