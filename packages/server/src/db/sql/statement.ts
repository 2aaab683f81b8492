import { CompiledQuery } from 'kysely'
import { type Db, dialectOf } from '../database.ts'

export type Value = string | number | null

/** Adds a value to the parameters of a statement and returns its placeholder, such as `$3`. */
export type Placeholder = (value: Value) => string

/**
 * The text for SQLite, and which value each of its placeholders takes (null: the values as they come). They stand as `+?`: a bare one
 * in a place that can influence the plan makes SQLite prepare the statement anew at every run, which costs several times the run.
 */
const forSqlite = (text: string) => {
  const order: number[] = []
  const plain = text.replace(/\$(\d+)/g, (_match, digits: string) => {
    order.push(Number(digits) - 1)
    return '+?'
  })
  return { plain, order: order.every((value, index) => value === index) ? null : order }
}

/** The parts of a compiled query that SQLite's connection does not look at. */
const AS_TEXT = CompiledQuery.raw('')

const raw = (text: string) => {
  const { plain, order } = forSqlite(text)
  return (db: Db, values: readonly Value[]) => {
    if (dialectOf(db) === 'postgres') return db.executeQuery(CompiledQuery.raw(text, values as unknown[]))
    const inOrder = order ? order.map((index) => values[index]) : values
    return db.executeQuery({ ...AS_TEXT, sql: plain, parameters: inOrder })
  }
}

const known = new Map<string, ReturnType<typeof raw>>()
const KNOWN_TEXTS = 2000

const rawOnce = (text: string) => {
  const found = known.get(text)
  if (found) return found
  if (known.size >= KNOWN_TEXTS) known.clear()
  const made = raw(text)
  known.set(text, made)
  return made
}

/**
 * A statement of a hot path as SQL text with `$1`… parameters: skips the query builder's compile time, and both databases keep it prepared.
 * Each parameter number must be used for one meaning; the text must mean the same on both databases.
 */
export const statement = <Row>(text: string) => {
  const run = raw(text)
  return async (db: Db, values: readonly Value[] = []): Promise<Row[]> => (await run(db, values)).rows as Row[]
}

/** Like `statement`, for at most one row. */
export const statementOne = <Row>(text: string) => {
  const run = raw(text)
  return async (db: Db, values: readonly Value[] = []): Promise<Row | undefined> => (await run(db, values)).rows[0] as Row | undefined
}

/**
 * An insert of one row into a table with an `id`; gives that. SQLite tells it anyway: asking for what is returned would make it set up a table
 * for that. What may insert nothing must ask.
 */
export const insertReturningId = (text: string) => {
  const [asking, telling] = [raw(`${text} returning id`), raw(text)]
  return async (db: Db, values: readonly Value[]): Promise<number> =>
    dialectOf(db) === 'sqlite' ? Number((await telling(db, values)).insertId) : ((await asking(db, values)).rows[0] as { id: number }).id
}

/** The same for a text with a list of `count` placeholders in it; one text is kept per length. */
export const statementIn = <Row>(text: (placeholders: (from: number) => string, count: number) => string) => {
  const known = new Map<number, (db: Db, values: readonly Value[]) => Promise<Row[]>>()
  return (db: Db, count: number, values: readonly Value[]): Promise<Row[]> => {
    let run = known.get(count)
    if (!run) {
      run = statement<Row>(text((from) => Array.from({ length: count }, (_, i) => `$${from + i}`).join(', '), count))
      known.set(count, run)
    }
    return run(db, values)
  }
}

/**
 * Runs a text that was put together from constant pieces; values only ever come as parameters. The same shape gives the same text,
 * so both databases keep it prepared.
 */
export const runText = async <Row>(db: Db, text: string, values: readonly Value[]): Promise<Row[]> =>
  (await rawOnce(text)(db, values)).rows as Row[]

/** Collects parameters while a text is put together: `p(value)` gives its placeholder. */
export const parameters = () => {
  const values: Value[] = []
  return { values, p: (value: Value) => `$${values.push(value)}` }
}

const SIZES = [1, 16, 256] as const
const LARGEST = 256

/** Ids in portions of few different lengths, filled up with zeros (which no row has): few texts are then prepared by `statementIn`. */
export const chunkPadded = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / LARGEST) }, (_, i) => {
    const part = ids.slice(i * LARGEST, (i + 1) * LARGEST)
    const size = SIZES.find((one) => one >= part.length) ?? LARGEST
    return [...part, ...Array.from({ length: size - part.length }, () => 0)]
  })
