import type { Route } from '@lyceum/contract'
import type { Random } from '#test/random.ts'
import { ROUTES } from '../permissions/matrix.ts'
import { expectedOfPerson, PEOPLE } from './people.ts'
import { ACTORS, type ActorName, asWritten, PLACES, type Rights } from './rights.ts'
import { expected, type Fact, type ObjectRule, PRIVACIES, RULES, STATUSES } from './rules.ts'
import type { ObjectStage, Thing } from './stage.ts'

/** Every possible state of an object. */
export const FACTS: readonly Fact[] = PLACES.flatMap((place) =>
  STATUSES.flatMap((status) => PRIVACIES.flatMap((privacy) => PRIVACIES.map((profile): Fact => ({ place, status, privacy, profile })))),
)

/** One request, its object, and the expected result. */
export interface Cell {
  readonly name: string
  readonly actor: ActorName
  readonly id: string
  readonly fact: Pick<Fact, 'profile'>
  readonly values: Readonly<Record<string, string | number>>
  readonly body: Readonly<Record<string, unknown>>
  readonly yields: readonly string[]
  wanted(table: Rights): string
}

const valuesOf = (thing: Thing, { of }: ObjectRule): Record<string, string | number> => ({
  feed_id: thing.feed_id,
  feed_slug: thing.feed_slug,
  comment_id: of === 'held comment' ? thing.held_id : thing.comment_id,
  reaction_id: thing.reaction_id,
  media_id: thing.media_id,
  report_id: thing.report_id,
  option_slug: 'a',
  opposite: thing.privacy === 'public' ? 'private' : 'public',
})

export const cellOf = (id: string, rule: ObjectRule, actor: ActorName, thing: Thing): Cell => {
  const { place, status, privacy, profile } = thing
  const where = `${status} ${privacy} feed in ${place}, by an author with a ${profile} profile`
  return {
    name: `${actor}: ${id}${rule.when ? ` (${rule.when})` : ''} on a ${where}`,
    actor,
    id,
    fact: thing,
    values: valuesOf(thing, rule),
    body: rule.body ?? {},
    yields: rule.yields ?? [],
    wanted: (table) => expected(id, rule, actor, thing, table),
  }
}

/** All requests about these objects. */
export const cellsAbout = (things: readonly Thing[], actors: readonly ActorName[] = ACTORS): Cell[] =>
  Object.entries(RULES).flatMap(([id, rules]) =>
    rules.flatMap((rule) => things.flatMap((thing) => actors.map((actor) => cellOf(id, rule, actor, thing)))),
  )

/** All requests about their authors. */
export const cellsAboutPeople = ({ authors }: ObjectStage): Cell[] =>
  Object.entries(PEOPLE).flatMap(([id, rule]) =>
    PRIVACIES.flatMap((profile) =>
      ACTORS.map((actor) => ({
        name: `${actor}: ${id} of an author with a ${profile} profile`,
        actor,
        id,
        fact: { profile },
        values: { username: authors[profile].username },
        body: rule.body ?? {},
        yields: rule.yields ?? [],
        wanted: () => expectedOfPerson(rule, actor, profile),
      })),
    ),
  )

/** A random sample. */
export const sample = <T>(all: readonly T[], most: number, random: Random): T[] => {
  const left = [...all]
  for (let i = 0; i < Math.min(most, left.length); i += 1) {
    const other = i + random.int(left.length - i)
    ;[left[i], left[other]] = [left[other] as T, left[i] as T]
  }
  return left.slice(0, most)
}

/** Replaces names in braces with values. */
const filled = (text: string, values: Cell['values']): string => {
  const put = (_all: string, name: string) => String(values[name] ?? _all)
  return text.replace(/\{([a-z_]+)\}/g, put)
}

const bodyOf = ({ body, values }: Cell): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, typeof value === 'string' ? (values[value.replace(/[{}]/g, '')] ?? value) : value]),
  )

const LANES = 8
const TRIES = 3

/** The actual result: `through`, or status and code of the refusal. */
const find = async (stage: ObjectStage, cell: Cell, again = 0): Promise<string> => {
  const { world } = stage
  const { method, path, body } = ROUTES.get(cell.id) as Route
  const answer = await world.app.http.inject({
    method,
    url: `${new URL(world.base).pathname}${filled(path, cell.values)}`,
    headers: { ...stage.headersOf(cell.actor, cell.fact.profile) },
    ...(body && method !== 'GET' && { payload: bodyOf(cell) }),
  })
  if (answer.statusCode < 300) return 'through'
  // A lock timeout asks for a retry and says nothing about permissions.
  if (answer.statusCode === 503 && again < TRIES) return find(stage, cell, again + 1)
  const { code } = JSON.parse(answer.body) as { code: string }
  return cell.yields.includes(code) ? 'through' : `${answer.statusCode} ${code}`
}

/** Sends all requests and reports where the results differ from the tables. */
export const lookAt = async (stage: ObjectStage, cells: readonly Cell[], table: Rights = asWritten): Promise<string[]> => {
  const differences: string[] = []
  const waiting = [...cells].reverse()
  const lane = async () => {
    for (let cell = waiting.pop(); cell; cell = waiting.pop()) {
      const wanted = cell.wanted(table)
      const found = await find(stage, cell)
      if (found !== wanted) differences.push(`${cell.name}: expected ${wanted}, found ${found}`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return differences
}
