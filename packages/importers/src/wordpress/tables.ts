import type { TableShape, Value } from '../staging/shape.ts'
import type { Staging } from '../staging/staging.ts'

export const USERS: TableShape = {
  columns: {
    ID: 'integer',
    user_login: 'text',
    user_pass: 'text',
    user_nicename: 'text',
    user_email: 'text',
    user_url: 'text',
    user_registered: 'text',
    user_activation_key: 'text',
    user_status: 'integer',
    display_name: 'text',
    spam: 'integer',
    deleted: 'integer',
  },
  key: 'ID',
}

const ACCOUNT_KEYS = /^(?:first_name|last_name|nickname|description|.*capabilities)$/

/** Copies account metadata with matching keys, besides names and roles. Old sites contain much more. */
export const usermeta = (keys?: RegExp): TableShape => ({
  columns: { umeta_id: 'integer', user_id: 'integer', meta_key: 'text', meta_value: 'text' },
  key: 'umeta_id',
  indexes: ['user_id, meta_key'],
  keep: { column: 'meta_key', test: (key: Value) => typeof key === 'string' && (ACCOUNT_KEYS.test(key) || keys?.test(key) === true) },
})

export const OPTIONS: TableShape = {
  columns: { option_id: 'integer', option_name: 'text', option_value: 'text', autoload: 'text' },
  key: 'option_id',
  indexes: ['option_name'],
  keep: { column: 'option_name', test: (name: Value) => typeof name === 'string' && !/transient|^_site_|^cron$|_cache/.test(name) },
}

/** The tables of a reader by their names without prefix. */
export type TableShapes = Readonly<Record<string, TableShape>>

export const CORE_TABLES: TableShapes = { users: USERS, usermeta: usermeta(), options: OPTIONS }

/** Matches tables with any prefix, because a dump may contain several sites. The longest matching suffix is used. */
export const wantedTables = (shapes: TableShapes) => {
  const names = Object.keys(shapes).sort((a, b) => b.length - a.length)
  return (table: string): TableShape | null => {
    const lower = table.toLowerCase()
    const name = names.find((each) => lower.endsWith(each))
    return name === undefined ? null : (shapes[name] as TableShape)
  }
}

/** Prefixes that have a table with this name, ordered by descending row count. */
export const prefixesOf = (staging: Staging, name: string): string[] =>
  staging
    .tables()
    .filter((table) => table.toLowerCase().endsWith(name))
    .sort((a, b) => staging.seen(b) - staging.seen(a) || a.length - b.length)
    .map((table) => table.slice(0, -name.length))

/** The prefix of a multisite network, which holds the accounts: `wp_2_` is a site of the network `wp_`. */
export const networkPrefix = (prefix: string): string => /^(.{0,64}?)\d{1,10}_$/.exec(prefix)?.[1] ?? prefix

const tableOf = (staging: Staging, name: string): string | null =>
  staging.tables().find((table) => table === name) ?? staging.tables().find((table) => table.toLowerCase() === name.toLowerCase()) ?? null

/** Makes the tables of one site available to queries, falling back to those of the network. */
export const defineTables = (staging: Staging, prefix: string, shapes: TableShapes): void => {
  for (const [name, shape] of Object.entries(shapes)) {
    const own = tableOf(staging, prefix + name)
    const shared = name === 'users' || name === 'usermeta' ? tableOf(staging, networkPrefix(prefix) + name) : null
    staging.define(name, own ?? shared, shape)
  }
}
