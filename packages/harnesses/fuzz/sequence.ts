import { createRandom, type Random } from '#test/random.ts'
import type { Operation } from './document.ts'
import { oddValue } from './oddities.ts'
import { bodyFor, filled, kindOf, lineOf, type Stage, valuesFor } from './sequence-stage.ts'
import { type Ask, IN_BODY, KINDS, type Kind, type Person, type Said, type Thing } from './things.ts'

/**
 * Rules that hold for every REST service: a deleted object is not found, a refused request has no effect, a child is not accessible through
 * another parent, and private objects are not accessible to others.
 */
export type Rule = 'use after free' | 'resource leak' | 'resource hierarchy' | 'user namespace' | 'never a fault of the server'

const DEEDS = ['make', 'make', 'make', 'use', 'use', 'remove', 'refused', 'refused', 'swap', 'swap', 'reach', 'reach'] as const

/** One step of a sequence; its effect depends only on these numbers and the current state. */
export interface Step {
  readonly deed: (typeof DEEDS)[number]
  readonly kind: number
  readonly draw: number
}

export interface Fault {
  readonly rule: Rule
  readonly operation: string
  /** The request that shows the violation, and its response. */
  readonly shown: string
}

export interface Ran {
  readonly fault: Fault | null
  /** The steps so far, for the report. */
  readonly told: readonly string[]
  /** How often each rule was checked. */
  readonly checks: Readonly<Record<Rule, number>>
  /** Operations that succeeded on existing objects. */
  readonly worked: ReadonlySet<string>
}

/** The fault that a control injects. */
export interface Damage {
  beforeRemoval?(thing: Thing): Promise<void>
  afterRemoval?(thing: Thing): Promise<void>
  afterRefusal?(): Promise<void>
  beforeSwap?(child: Thing, other: Thing): Promise<void>
  beforeReach?(thing: Thing, other: number): Promise<void>
}

const MOST_STEPS = 20
/** Operations requested per check. */
const ASKED = 4
const NO_ID = 987_654_321

export const drawSteps = (random: Random, only?: (kind: Kind) => boolean): Step[] => {
  const kinds = KINDS.flatMap((kind, i) => (!only || only(kind) ? [i] : []))
  return Array.from({ length: 5 + random.int(MOST_STEPS - 4) }, () => ({
    deed: random.pick(DEEDS),
    kind: random.pick(kinds),
    draw: random.int(2 ** 31),
  }))
}

const some = <T>(list: readonly T[], count: number, random: Random): T[] => {
  const left = [...list]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random.int(left.length), 1)[0] as T)
}

/** The record in a response: the outermost object with an id. */
const recordOf = (body: unknown, depth = 0): { id: number; slug?: string } | undefined => {
  if (body === null || typeof body !== 'object' || depth > 3) return undefined
  if (typeof (body as { id?: unknown }).id === 'number') return body as { id: number }
  return Object.values(body)
    .map((part) => recordOf(part, depth + 1))
    .find(Boolean)
}

/** The ids of the items of a list, whatever its field is called. */
const listed = (body: unknown): number[] => {
  const list = body !== null && typeof body === 'object' ? Object.values(body).find(Array.isArray) : undefined
  return (list ?? []).map((item: { id?: number }) => item.id ?? 0)
}

/** A valid body with one error. */
const spoilt = (body: unknown, random: Random): unknown => {
  const fields = body !== null && typeof body === 'object' ? Object.entries(body) : []
  if (fields.length === 0 || random.oneIn(4)) return random.pick(['{"a":', '[]', '', '{"title":1,}', 'null'])
  const [name] = random.pick(fields)
  if (random.oneIn(3)) return Object.fromEntries(fields.filter(([other]) => other !== name))
  return { ...Object.fromEntries(fields), [name]: oddValue(random) }
}

/** Operations on these kinds do not affect later steps if a request that should have been refused succeeds. */
const HARMLESS =
  /^(adminCourses|courseCopies|courseSections|courses|adminTopics|adminLessons|lessons|comments|feeds|topics|webhooks|push|spaceGroups|spaces|surveys|reactions|moderation\.report$|scheduledPosts(?!\.publish)|account\.createApplicationPassword|privacy\.requestExport)/

/** Runs the steps of a sequence with two new people until a rule is violated. */
export const runSteps = async (stage: Stage, steps: readonly Step[], damage: Damage = {}): Promise<Ran> => {
  const { people, ask } = await stage.people()
  const things: Thing[] = []
  const told: string[] = []
  const worked = new Set<string>()
  const checks: Record<Rule, number> = {
    'use after free': 0,
    'resource leak': 0,
    'resource hierarchy': 0,
    'user namespace': 0,
    'never a fault of the server': 0,
  }
  let fault: Fault | null = null

  const live = (kind: string) => things.filter((thing) => thing.kind === kind && !thing.gone)
  const nameOf = ({ kind, id }: Thing) => `${kind} ${id}`
  const blame = (rule: Rule, operation: string, shown: string) => {
    fault ??= { rule, operation, shown }
  }

  /** Sends a request and checks that the response is not a server error. */
  const send = async (person: Person, operation: Pick<Operation, 'id' | 'method'>, path: string, body?: unknown): Promise<Said> => {
    const said = await ask(person, operation.method, path, body)
    checks['never a fault of the server'] += 1
    if (said.status >= 500) blame('never a fault of the server', operation.id, `${operation.method} ${path} → ${said.status}`)
    return said
  }

  /** None of these requests may succeed. */
  const mustRefuse = async (rule: Rule, person: Person, operation: Operation, path: string, body: unknown) => {
    const said = await send(person, operation, path, body)
    checks[rule] += 1
    if (said.status < 400)
      blame(rule, operation.id, `${operation.method} ${path} ${JSON.stringify(body ?? null).slice(0, 300)} as ${person} → ${said.status}`)
  }

  const watched: Ask = async (person, method, path, body, headers) => {
    const said = await ask(person, method, path, body, headers)
    if (said.status >= 500) blame('never a fault of the server', path, `${method} ${path} → ${said.status}`)
    return said
  }

  const make = async (kind: Kind, random: Random): Promise<Thing | undefined> => {
    const parent = kind.parent
      ? (some(live(kind.parent), 1, random)[0] ?? (await make(KINDS.find(({ name }) => name === kind.parent) as Kind, random)))
      : undefined
    if (kind.parent && !parent) return undefined
    const { status, body } = await kind.make(watched, parent, random.int(2 ** 40), people.owner.id)
    const record = status < 300 ? recordOf(body) : undefined
    if (!record || things.some((thing) => thing.kind === kind.name && thing.id === record.id && !thing.gone)) return undefined
    const [first = '', second] = kind.parameters
    const named = { [first]: record.id, ...(second && record.slug !== undefined && { [second]: record.slug }) }
    const thing: Thing = { kind: kind.name, id: record.id, named, ...(parent && { parent }), gone: false, open: false }
    things.push(thing)
    told.push(`makes ${nameOf(thing)}${parent ? ` in ${nameOf(parent)}` : ''}`)
    return thing
  }

  const anyOf = async (kind: Kind, random: Random) => some(live(kind.name), 1, random)[0] ?? (await make(kind, random))

  const honest = (operation: Operation, person: Person) =>
    operation.multipart ? undefined : bodyFor(operation, things, person === 'other' ? people.other : people.owner, people)

  const use = async (kind: Kind, random: Random) => {
    const thing = await anyOf(kind, random)
    if (!thing) return
    for (const operation of some(stage.operationsOf(kind), 2, random)) {
      const values = operation.method === 'DELETE' ? undefined : valuesFor(operation, thing, things, people)
      if (!values) continue
      const said = await send(kind.by, operation, filled(operation.path, values), honest(operation, kind.by))
      if (said.status < 300) worked.add(operation.id)
      told.push(`${operation.id} of ${nameOf(thing)}: ${said.status}`)
    }
  }

  const isIn = async (person: Person, thing: Thing, { list }: Kind): Promise<boolean> => {
    const values = list && valuesFor({ path: list }, thing, things, people)
    if (!list || !values) return false
    const { status, body } = await ask(person, 'GET', filled(list, values))
    return status === 200 && listed(body).includes(thing.id)
  }

  const remove = async (kind: Kind, random: Random) => {
    const thing = kind.remove ? await anyOf(kind, random) : undefined
    const values = thing && kind.remove ? valuesFor({ path: kind.remove }, thing, things, people) : undefined
    if (!thing || !values || !kind.remove) return
    await damage.beforeRemoval?.(thing)
    const said = await send(kind.by, { id: `removal of a ${kind.name}`, method: 'DELETE' }, filled(kind.remove, values))
    told.push(`removes ${nameOf(thing)}: ${said.status}`)
    if (said.status >= 300) return
    await damage.afterRemoval?.(thing)
    const dead = things.filter((one) => one === thing || (!one.gone && !kindOf(one).outlives && lineOf(one).includes(thing)))
    for (const one of dead) one.gone = true
    for (const one of dead) {
      const its = kindOf(one)
      for (const operation of some(stage.operationsOf(its), ASKED, random)) {
        const path = valuesFor(operation, one, things, people)
        if (path) await mustRefuse('use after free', its.by, operation, filled(operation.path, path), honest(operation, its.by))
      }
      if (await isIn(its.by, one, its)) blame('use after free', its.name, `${nameOf(one)} is still in ${its.list}`)
    }
  }

  const refused = async (kind: Kind, random: Random) => {
    const thing = await anyOf(kind, random)
    const operations = stage.described.operations.filter(
      ({ id, method, multipart }) => method !== 'GET' && method !== 'DELETE' && !multipart && HARMLESS.test(id),
    )
    const about = stage.operationsOf(kind).filter((operation) => operations.includes(operation))
    const operation = random.pick(about.length > 0 && random.oneIn(2) ? about : operations)
    const values = thing && valuesFor(operation, thing, things, people)
    if (!values) return
    const names = Object.keys(values)
    const lost = names.length > 0 && random.oneIn(3) ? random.pick(names) : undefined
    const person = random.pick(['owner', 'other', 'nobody', 'administrator', 'administrator'] as const)
    const body = honest(operation, person)
    const before = await stage.count()
    const path = filled(operation.path, lost ? { ...values, [lost]: NO_ID } : values)
    const said = await send(person, operation, path, lost || random.oneIn(4) ? body : spoilt(body, random))
    if (said.status < 400) return
    await damage.afterRefusal?.()
    const after = await stage.count()
    checks['resource leak'] += 1
    const left = Object.keys(after).filter((table) => after[table] !== before[table])
    if (left.length > 0)
      blame(
        'resource leak',
        operation.id,
        `${operation.method} ${path} as ${person} → ${said.status}, and rows more or fewer in ${left.join(', ')}`,
      )
  }

  const swap = async (drawn: Kind, random: Random) => {
    const kind = drawn.parent ? drawn : random.pick(KINDS.filter(({ parent }) => parent))
    const thing = await anyOf(kind, random)
    if (!thing?.parent) return
    // The other parent and its ancestors have the same kinds as this one.
    const mine = random.pick(lineOf(thing.parent))
    const other = live(mine.kind).find((one) => one !== mine) ?? (await make(kindOf(mine), random))
    if (!other || other === mine) return
    await damage.beforeSwap?.(thing, other)
    const through = stage.operationsOf(kind).filter(({ path }) => Object.keys(mine.named).some((name) => path.includes(`{${name}}`)))
    for (const operation of some(through, ASKED, random)) {
      const values = valuesFor(operation, thing, things, people)
      if (values)
        await mustRefuse(
          'resource hierarchy',
          kind.by,
          operation,
          filled(operation.path, { ...values, ...other.named }),
          honest(operation, kind.by),
        )
    }
    for (const { operation: id, body } of IN_BODY.filter((one) => one.kind === kind.name)) {
      const operation = stage.described.operations.find((one) => one.id === id) as Operation
      if (Object.keys(other.named).some((name) => operation.path.includes(`{${name}}`)))
        await mustRefuse('resource hierarchy', kind.by, operation, filled(operation.path, other.named), body(thing.id, other.id))
    }
  }

  const reach = async (kind: Kind, random: Random) => {
    const thing = await anyOf(kind, random)
    if (!thing) return
    await damage.beforeReach?.(thing, people.other.id)
    for (const operation of some(stage.operationsOf(kind), ASKED, random)) {
      const values = valuesFor(operation, thing, things, people)
      const person = random.oneIn(4) ? 'nobody' : 'other'
      if (values) await mustRefuse('user namespace', person, operation, filled(operation.path, values), honest(operation, person))
    }
    if (await isIn('other', thing, kind)) blame('user namespace', kind.name, `${nameOf(thing)} is in ${kind.list} of another`)
  }

  const deeds = { make, use, remove, refused, swap, reach }
  for (const { deed, kind, draw } of steps) {
    await deeds[deed](KINDS[kind] as Kind, createRandom(draw))
    if (fault) break
  }
  return { fault, told, checks, worked }
}

/** The fewest steps that still violate the same rule with the same operation, within a limited number of attempts. */
export const shrinkSteps = async (stage: Stage, steps: readonly Step[], fault: Fault, damage?: Damage): Promise<readonly Step[]> => {
  let best = steps
  for (let at = best.length - 1; at >= 0; at--) {
    const fewer = best.filter((_, i) => i !== at)
    const found = (await runSteps(stage, fewer, damage)).fault
    if (found?.rule === fault.rule && found.operation === fault.operation) best = fewer
  }
  return best
}
