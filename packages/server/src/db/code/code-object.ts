import type { Dialect } from '../database.ts'

/** A trigger and its function: code in the database, replaced if that of this version differs. */
export interface CodeObject {
  /** The name of the trigger, and on PostgreSQL also of its function. */
  readonly name: string
  readonly table: string
  /** Create the trigger, or replace it. */
  readonly statements: readonly string[]
}

export interface Trigger {
  readonly name: string
  readonly table: string
  /** Such as `after update of title`; the syntax is the same on both databases. */
  readonly moment: string
  /** Condition for a row; null: every row. */
  readonly when: string | null
  readonly statements: readonly string[]
}

/** A trigger whose statements are the same text on both databases. */
export const trigger = (dialect: Dialect, { name, table, moment, when, statements }: Trigger): CodeObject => {
  const condition = when === null ? '' : `when (${when})`
  const body = statements.map((text) => `${text};`).join(' ')
  if (dialect === 'sqlite') {
    const text = `create trigger ${name} ${moment} on ${table} for each row ${condition} begin ${body} end`
    return { name, table, statements: [`drop trigger if exists ${name}`, text] }
  }
  const result = moment.startsWith('before delete') ? 'old' : 'null'
  return onPostgres({ name, table, moment, each: `row ${condition}`, body: `begin ${body} return ${result}; end` })
}

interface PostgresTrigger extends Pick<Trigger, 'name' | 'table' | 'moment'> {
  /** `statement`, or `row` with its condition. */
  readonly each: string
  readonly body: string
}

/** A trigger of PostgreSQL and its function. Replacing it does not block reads of the table. */
export const onPostgres = ({ name, table, moment, each, body }: PostgresTrigger): CodeObject => ({
  name,
  table,
  statements: [
    `create or replace function ${name}() returns trigger language plpgsql as $body$ ${body} $body$`,
    `create or replace trigger ${name} ${moment} on ${table} for each ${each} execute function ${name}()`,
  ],
})
