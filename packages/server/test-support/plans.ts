import { CompiledQuery } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../src/db/index.ts'
import type { World } from './world.ts'

export interface Plan {
  readonly sql: string
  /** The SQLite query plan, one step per line. */
  readonly steps: readonly string[]
}

/** Scans that are harmless: materialized subqueries and constant rows, small sets such as suspended users and levels, and lists of pending work. */
const HARMLESS =
  /^SCAN (p\d*|pending_events|points_unfolded|CONSTANT ROW|\d+ CONSTANT ROWS|u USING (COVERING )?INDEX users_inactive|leaderboard_levels USING INDEX leaderboard_levels_order|[a-z] VIRTUAL TABLE INDEX 1:)$/

type Send = Db['executeQuery']

/** Runs `work` and returns the statements sent through `db` with their values, and a way to send more. */
const sentBy = async (db: Db, work: () => Promise<unknown>): Promise<{ sent: Map<string, readonly unknown[]>; send: Send }> => {
  const sent = new Map<string, readonly unknown[]>()
  const send: Send = db.executeQuery.bind(db)
  const recording: Send = (query, ...rest) => {
    const { sql, parameters } = query as CompiledQuery
    sent.set(sql, parameters)
    return send(query, ...rest)
  }
  Object.defineProperty(db, 'executeQuery', { value: recording, configurable: true })
  try {
    await work()
  } finally {
    Reflect.deleteProperty(db, 'executeQuery')
  }
  return { sent, send }
}

/** Runs `work` and returns the query plans of its statements. SQLite only. */
export const plansOf = async (db: Db, work: () => Promise<unknown>): Promise<Plan[]> => {
  const { sent, send } = await sentBy(db, work)
  const plans: Plan[] = []
  for (const [sql, parameters] of sent) {
    const { rows } = await send<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]))
    plans.push({ sql, steps: rows.map((row) => row.detail) })
  }
  return plans
}

/** Asserts that every read of `work` uses an index. */
export const expectNoScan = async (world: World, work: () => Promise<unknown>): Promise<Plan[]> => {
  const plans = await plansOf(world.app.services.database.read, work)
  expect(plans.length).toBeGreaterThan(0)
  for (const { sql, steps } of plans) {
    const scans = steps.filter((step) => step.startsWith('SCAN') && !HARMLESS.test(step))
    expect({ sql, scans }).toEqual({ sql, scans: [] })
  }
  return plans
}

/** Asserts that every list is read from an index in order, so that a page costs the same however long the list is. */
export const expectInOrder = async (world: World, work: () => Promise<unknown>): Promise<void> => {
  for (const { sql, steps } of await expectNoScan(world, work)) {
    expect({ sql, sorts: steps.filter((step) => step.includes('TEMP B-TREE')) }).toEqual({ sql, sorts: [] })
  }
}

/** Asserts that no read of `work` scans one of these tables. PostgreSQL only; the tables need statistics. */
export const expectNotWhole = async (world: World, tables: readonly string[], work: () => Promise<unknown>): Promise<void> => {
  const { sent, send } = await sentBy(world.app.services.database.read, work)
  expect(sent.size).toBeGreaterThan(0)
  for (const [sql, parameters] of sent) {
    const { rows } = await send<{ 'QUERY PLAN': string }>(CompiledQuery.raw(`explain ${sql}`, [...parameters]))
    const read = rows.flatMap((row) => /Seq Scan on (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? [])
    expect({ sql, whole: read.filter((table) => tables.includes(table)) }).toEqual({ sql, whole: [] })
  }
}
