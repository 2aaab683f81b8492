import { sent } from '#test/valid-bodies.ts'
import type { RawAnswer } from '#test/world.ts'
import { nameOf, type TextField, withValue } from '../ssrf/fields.ts'
import type { Operation } from '../xss/fields.ts'
import { longestOf } from '../xss/sinks.ts'
import { HOLDERS, type Holder, type Stage } from './stage.ts'
import { valuesFor } from './values.ts'

/** An accepted text and its actor, by mark. */
export interface Taken {
  readonly operation: string
  readonly field: string
  readonly holder: Holder
  readonly value: string
}

export const MARK = /eyes\d+x/g

export interface Writing {
  readonly taken: Map<string, Taken>
  requests: number
  readonly failures: string[]
}

const worked = ({ status }: RawAnswer) => status < 300

/** The actors to try, the weakest first. */
const candidatesFor = ({ route: { access } }: Operation, everybody: boolean): readonly Holder[] => {
  if (access === 'admin') return ['administrator']
  const alone = HOLDERS.find((holder) => holder === access && holder !== 'member')
  return alone && !everybody ? [alone] : HOLDERS
}

/** Additional actors for operations on others' objects, where the weakest actor can only use their own. */
const ALSO: Readonly<Record<string, Holder>> = { 'feeds.update': 'manage_feeds', 'comments.update': 'manage_comments' }

let marks = 0
let made = 0

/** A mark for one value of one field. */
const newMark = (): string => {
  marks += 1
  return `eyes${marks}x`
}

/** A hostile text that an actor sends as part of the scenario. */
export const hostileFrom = (writing: Writing, holder: Holder, field: string, round: number): string => {
  const mark = newMark()
  const value = valuesFor('text', round)[0]?.(mark) ?? mark
  writing.taken.set(mark, { operation: field.split(' ')[0] as string, field, holder, value })
  return value.slice(0, 900)
}

/** Which operations are tested, and which actors try each. */
export interface Plan {
  readonly wants: (operation: string) => boolean
  /** Every permitted actor; otherwise only the weakest. */
  readonly everybody: boolean
}

/**
 * Sends hostile values for every field of every operation, as the weakest permitted actor or as all of them. Values accepted individually
 * are then sent together, so that the operation stores all of them.
 */
export const writeAll = async (stage: Stage, round: number, { wants, everybody }: Plan): Promise<Writing> => {
  const writing: Writing = { taken: new Map(), requests: 0, failures: [] }

  const send = async (holder: Holder, operation: Operation, given: readonly (readonly [TextField, string])[]): Promise<boolean> => {
    made += 1
    writing.requests += 1
    const { base, route, path, formats } = operation
    const format = formats[made % formats.length]
    const body = given.reduce<unknown>((whole, [field, value]) => withValue(whole, field.path, value), {
      ...base(made),
      ...(format && { content_type: format }),
    })
    const answer = await stage.holders[holder].raw(route.method, path, ...sent(route, body as object))
    if (answer.status >= 500) writing.failures.push(`${operation.name}: ${answer.status} ${answer.text.slice(0, 200)}`)
    return worked(answer)
  }

  const fillOne = async (holder: Holder, operation: Operation, field: TextField): Promise<string | null> => {
    for (const made of valuesFor(field.path.join('.'), round)) {
      const mark = newMark()
      const value = made(mark).slice(0, longestOf(field))
      if (!(await send(holder, operation, [[field, value]]))) continue
      writing.taken.set(mark, { operation: operation.name, field: nameOf(field), holder, value })
      return value
    }
    return null
  }

  const fillAll = async (holder: Holder, operation: Operation): Promise<boolean> => {
    const given: [TextField, string][] = []
    for (const field of operation.fields) {
      const value = await fillOne(holder, operation, field)
      if (value !== null) given.push([field, value])
    }
    if (given.length > 1) await send(holder, operation, given)
    return given.length > 0
  }

  /** Whether an actor gets far enough for the body to be validated. */
  const isLetIn = async (holder: Holder, { route, path, base }: Operation): Promise<boolean> => {
    made += 1
    writing.requests += 1
    const { status } = await stage.holders[holder].raw(route.method, path, ...sent(route, base(made)))
    return status !== 403 && status !== 404
  }

  for (const operation of stage.operations.filter(({ name }) => wants(name))) {
    // They come first, so that the weakest actor's text remains at the end.
    const also = ALSO[operation.name]
    if (also && !everybody) await fillAll(also, operation)
    for (const holder of candidatesFor(operation, everybody)) {
      if (!(await isLetIn(holder, operation))) continue
      if ((await fillAll(holder, operation)) && !everybody) break
    }
  }
  return writing
}
