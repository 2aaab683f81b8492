import { BODIES, type Scene } from '#test/valid-bodies.ts'
import type { Member, World } from '#test/world.ts'
import { listTables, runText, type Table } from '../../server/src/db/index.ts'
import { type Described, describeApi, type Operation } from './document.ts'
import { toJson } from './oddities.ts'
import { type Ask, KINDS, type Kind, type Person, type Said, type Thing } from './things.ts'

export interface People {
  readonly owner: Pick<Member, 'id' | 'username'>
  readonly other: Pick<Member, 'id' | 'username'>
}

export interface Stage {
  readonly world: World
  readonly described: Described
  /** Operations whose path contains an id of this kind. */
  operationsOf(kind: Kind): readonly Operation[]
  people(): Promise<{ readonly people: People; readonly ask: Ask }>
  /** The number of rows per table. */
  count(): Promise<Readonly<Record<string, number>>>
  /** Number of requests sent so far. */
  requests(): number
}

/** Operations that remove what others depend on, or publish what was restricted. */
const LEFT_OUT = /^(scheduledPosts\.publish|moderation\.update|members\.|privacy\.)/

export const createStage = async (world: World): Promise<Stage> => {
  const { http, services } = world.app
  const root = new URL(world.base).pathname
  const described = describeApi(root)
  const admin = await world.member({ role: 'admin' })
  const tables: readonly Table[] = await listTables(services.database.read)
  const counting = tables.map(({ name }) => `select '${name}' as name, count(*) as n from ${name}`).join(' union all ')
  const credentials = ({ username, password }: Member) => ({
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  })
  let requests = 0

  const operations = new Map(
    KINDS.map(({ name, parameters, below = '/' }) => [
      name,
      described.operations.filter(
        ({ id, path }) => path.startsWith(below) && parameters.some((parameter) => path.includes(`{${parameter}}`)) && !LEFT_OUT.test(id),
      ),
    ]),
  )

  return {
    world,
    described,
    operationsOf: ({ name }) => operations.get(name) ?? [],
    requests: () => requests,
    people: async () => {
      const [owner, other] = [await world.member(), await world.member()]
      const signed: Readonly<Record<Person, Record<string, string>>> = {
        administrator: credentials(admin),
        owner: credentials(owner),
        other: credentials(other),
        nobody: {},
      }
      const ask: Ask = async (person, method, path, body, headers = {}): Promise<Said> => {
        requests += 1
        const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : toJson(body)
        const answer = await http.inject({
          method: method as 'GET',
          url: root + path,
          headers: { ...signed[person], ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
          ...(payload !== undefined && { payload }),
        })
        const json = /json/.test(String(answer.headers['content-type']))
        return { status: answer.statusCode, body: json && answer.payload ? JSON.parse(answer.payload) : undefined }
      }
      return { people: { owner, other }, ask }
    },
    count: async () =>
      Object.fromEntries(
        (await runText<{ name: string; n: number }>(services.database.read, counting, [])).map(({ name, n }) => [name, Number(n)]),
      ),
  }
}

export const kindOf = ({ kind }: Pick<Thing, 'kind'>): Kind => KINDS.find(({ name }) => name === kind) as Kind

/** The thing and its ancestors. */
export const lineOf = (thing: Thing): Thing[] => (thing.parent ? [thing, ...lineOf(thing.parent)] : [thing])

const latest = (things: readonly Thing[], kind: string) => things.findLast((thing) => thing.kind === kind && !thing.gone)?.id ?? 0

/** The path parameters for a thing; undefined if one does not exist yet. */
export const valuesFor = (
  { path }: Pick<Operation, 'path'>,
  thing: Thing,
  things: readonly Thing[],
  { owner }: People,
): Record<string, string | number> | undefined => {
  const around: Record<string, string | number> = { username: owner.username, user_id: owner.id, option_slug: 'a' }
  for (const each of lineOf(thing).reverse()) Object.assign(around, each.named)
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string)
  for (const name of names.filter((one) => !(one in around))) {
    const kind = KINDS.find(({ parameters, below = '/' }) => parameters.includes(name) && path.startsWith(below))
    const found = kind && things.findLast((one) => one.kind === kind.name && !one.gone)
    if (!found) return undefined
    around[name] = found.named[name] as string | number
  }
  return Object.fromEntries(names.map((name) => [name, around[name] as string | number]))
}

export const filled = (path: string, values: Readonly<Record<string, string | number>>): string =>
  path.replace(/\{([^}]+)\}/g, (_match, name: string) => encodeURIComponent(String(values[name])))

/** A valid body for an operation on existing objects. */
export const bodyFor = ({ id, body }: Operation, things: readonly Thing[], who: People['owner'], { other }: People): unknown => {
  if (!body) return undefined
  const school = { courseId: latest(things, 'course'), slug: '', sectionId: latest(things, 'section'), lessons: [latest(things, 'lesson')] }
  const scene = {
    space: { id: latest(things, 'space'), slug: '' },
    feed: latest(things, 'feed'),
    comment: latest(things, 'comment'),
    group: latest(things, 'group'),
    topic: latest(things, 'topic'),
    school,
    other,
  }
  return BODIES[id]?.(scene as unknown as Scene, who as Member) ?? {}
}
