import { api, type ErrorCode, type Route, type Routes } from '@lyceum/contract'
import type { Actor } from '#test/actors.ts'
import { basic } from '#test/media.ts'
import type { Place, Stage } from '#test/one-of-each.ts'
import { BODIES, fill, sent } from '#test/valid-bodies.ts'
import type { Member } from '#test/world.ts'
import type { Rule, Who, Whom } from './rule.ts'

export const ROUTES: ReadonlyMap<string, Route> = new Map(
  Object.entries(api as Record<string, Routes>).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, route]) => [`${group}.${name}`, route] as const),
  ),
)

/** `through`, or the status and code of a refusal. */
export type Outcome = string

const IN_SPACES: ReadonlySet<Place | undefined> = new Set<Place>(['private', 'public', 'secret'])

const holds = (actor: Actor, who: Who, place: Place | undefined): boolean => {
  if (who === 'anybody') return true
  if (who === 'member') return actor.shutOut === undefined
  const [permission, reach] = who.split(' ')
  if (reach !== 'here' && reach !== 'everywhere' && reach !== 'limited' && reach !== 'somewhere') {
    const stands = actor.standings.includes(who as Actor['standings'][number])
    return stands && (!who.startsWith('space ') || IN_SPACES.has(place))
  }
  if (!actor.permissions.has(permission as never)) return false
  if (reach === 'somewhere' || (reach !== 'limited' && actor.reach === 'everywhere')) return true
  return (reach === 'here' || reach === 'limited') && actor.reach === 'here' && IN_SPACES.has(place)
}

const listed = (list: Rule['through'], place: Place | undefined): readonly Whom[] =>
  Array.isArray(list) ? list : ((list as Readonly<Partial<Record<Place, readonly Whom[]>>>)[place as Place] ?? [])

export const expected = (rule: Rule, actor: Actor, place: Place | undefined): Outcome => {
  const { gate, seen, missing = 'not_found', through, never = [], forbidden = 'rest_forbidden' } = rule
  const any = (list: Rule['through']) => listed(list, place).some((who) => [who].flat().every((one) => holds(actor, one, place)))
  if (actor.shutOut && !(any(through) && actor.shutOut[0] === 401 && !actor.headers)) return actor.shutOut.join(' ')
  if (gate && !any(gate)) return `403 ${forbidden}`
  if (seen && !any(seen)) return `404 ${missing}`
  return any(through) && !any(never) ? 'through' : `403 ${forbidden}`
}

/** The ids for paths, queries and bodies of this caller. */
const valuesFor = (stage: Stage, id: string, rule: Rule, place: Place | undefined, actor: Actor): Record<string, string | number> => {
  const { other, manager, suspended, waiting, people, belongings } = stage
  const things = stage.sets[place ?? 'public']
  const owner = rule.of === 'another' ? other : (actor.member ?? other)
  const theirs = belongings.get(owner.id)
  if (!theirs) throw new Error(`${owner.username} has nothing of his own`)
  const [group = ''] = id.split('.')
  const targets: Partial<Record<string, Member>> = { suspended, waiting, staff: manager, 'space admin': people.spaceAdmin }
  const target = targets[rule.of ?? ''] ?? { registrations: waiting, managers: manager }[group] ?? other
  const { scene, held, scheduled, report, slug } = things
  const isOfComment = ROUTES.get(id)?.path.includes('{comment_id}') === true
  return {
    space_id: scene.space.id,
    space_slug: scene.space.slug,
    comment_id: rule.of === 'held' ? held.comment : scene.comment,
    feed_id: rule.of === 'held' && !isOfComment ? held.feed : rule.of === 'scheduled' ? scheduled : scene.feed,
    feed_slug: slug,
    option_slug: 'a',
    username: rule.of === 'another' || rule.of === 'suspended' || group === 'followers' ? target.username : 'me',
    user_id: target.id,
    id: { account: theirs.password, push: theirs.subscription }[group] ?? 0,
    export_id: theirs.export,
    notification_id: theirs.notification,
    request_id: theirs.request,
    report_id: report,
    webhook_id: stage.webhook,
    delivery_id: stage.delivery,
    key: 'site_name',
    code: 'none',
  }
}

/** Replaces texts that consist only of a name in braces. */
const filled = (what: object, values: Readonly<Record<string, string | number>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(what).map(([key, value]) => [key, values[/^\{(.+)\}$/.exec(String(value))?.[1] ?? ''] ?? value]))

const headersOf = ({ member, headers, instead }: Actor): Record<string, string> => ({
  ...headers,
  ...(instead ?? (member && basic(member))),
})

/** A stream does not end, so only its start is read. */
const openStream = async ({ world }: Stage, actor: Actor, path: string): Promise<{ status: number; code?: string }> => {
  const { status, body } = await world.request('GET', path, undefined, headersOf(actor))
  return { status, code: body?.code }
}

const ask = async (
  stage: Stage,
  id: string,
  rule: Rule,
  place: Place | undefined,
  actor: Actor,
): Promise<{ status: number; code?: string }> => {
  const route = ROUTES.get(id) as Route
  const { world, sets, other } = stage
  const { scene } = sets[place ?? 'public']
  const values = valuesFor(stage, id, rule, place, actor)
  const path = fill(route.path, scene, values)
  if (route.produces === 'events') return openStream(stage, actor, path)
  const query = new URLSearchParams(filled(rule.query ?? {}, values) as Record<string, string>)
  const body = filled(rule.body ?? BODIES[id]?.(scene, actor.member ?? other) ?? {}, values)
  const [payload, headers] = route.method === 'GET' ? [undefined, {}] : sent(route, body)
  const answer = await world.app.http.inject({
    method: route.method,
    url: `${new URL(world.base).pathname}${path}?${query}`,
    headers: { ...headersOf(actor), ...headers },
    ...(payload !== undefined && { payload: payload as object }),
  })
  const json = /json/.test(String(answer.headers['content-type']))
  return { status: answer.statusCode, ...(json && answer.body && { code: (JSON.parse(answer.body) as { code?: string }).code }) }
}

const REFUSALS = new Set([401, 403, 404])

interface Found {
  readonly outcome: Outcome
  /** For callers who get through: `done`, or the error. */
  readonly came: 'done' | ErrorCode | ''
}

/** The actual result. */
export const findOut = async (stage: Stage, id: string, rule: Rule, place: Place | undefined, actor: Actor): Promise<Found> => {
  const { status, code = '' } = await ask(stage, id, rule, place, actor)
  const came = status < 300 ? 'done' : (code as ErrorCode)
  if (REFUSALS.has(status) && rule.yields !== code) return { outcome: `${status} ${code}`, came }
  return { outcome: status < 500 || rule.yields === code ? 'through' : `${status} ${code}`, came }
}

/** Concurrent requests. */
const LANES = 8

export interface Looked {
  readonly cells: number
  /** `where: expected, found` → the actors with this result. */
  readonly differences: Readonly<Record<string, readonly string[]>>
}

export interface Cell {
  readonly rule: Rule
  readonly place: Place | undefined
  readonly actor: Actor
}

/** Actors refused everywhere need only one request per rule. */
export const cellsOf = (actors: readonly Actor[], rules: readonly Rule[]): Cell[] =>
  rules.flatMap((rule) =>
    (rule.places ?? [undefined]).flatMap((place, i) =>
      actors.filter(({ shutOut }) => !shutOut || i === 0).map((actor) => ({ rule, place, actor })),
    ),
  )

/** Every actor with every rule, in one of its places in turn, so that each place is covered. */
export const turnsOf = (actors: readonly Actor[], rules: readonly Rule[]): Cell[] =>
  rules.flatMap((rule, turn) => actors.map((actor, i) => ({ rule, actor, place: rule.places?.[(i + turn) % rule.places.length] })))

/** Requests a route as every actor and reports the differences from the table. */
export const lookAt = async (
  stage: Stage,
  id: string,
  rules: readonly Rule[],
  actors = stage.actors,
  cells = cellsOf(actors, rules),
): Promise<Looked> => {
  const differences: Record<string, string[]> = {}
  const ends = new Map(rules.map((rule) => [rule, new Set<string>()]))
  const waiting = [...cells]
  const lane = async () => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      const { rule, place, actor } = cell
      const wanted = expected(rule, actor, place)
      const { outcome: found, came } = await findOut(stage, id, rule, place, actor)
      if (found === 'through') ends.get(rule)?.add(came)
      if (found === wanted) continue
      const where = [rule.when, place].filter(Boolean).join(', ')
      const what = `${where}: expected ${wanted}, found ${found}`
      differences[what] = [...(differences[what] ?? []), actor.name]
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  for (const [{ when = '', yields = 'done' }, codes] of ends)
    if (codes.size > 0 && !codes.has(yields)) differences[`${when}: nobody came to ${yields}`] = [...codes]
  return { cells: cells.length, differences }
}

/** The result of each variant of a route for one actor: `variant, place` → outcome. */
export const outcomesOf = async (stage: Stage, id: string, rules: readonly Rule[], actor: Actor): Promise<Record<string, Outcome>> => {
  const outcomes: Record<string, Outcome> = {}
  for (const { rule, place } of cellsOf([actor], rules))
    outcomes[[rule.when, place].filter(Boolean).join(', ')] = (await findOut(stage, id, rule, place, actor)).outcome
  return outcomes
}
