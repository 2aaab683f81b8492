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
  return onPostgres({ name, table, moment, condition, body: `begin ${body} return ${result}; end` })
}

/** A trigger of PostgreSQL and its function. Replacing it does not block reads of the table. */
export const onPostgres = (of: {
  readonly name: string
  readonly table: string
  readonly moment: string
  readonly condition: string
  readonly body: string
}): CodeObject => ({
  name: of.name,
  table: of.table,
  statements: [
    `create or replace function ${of.name}() returns trigger language plpgsql as $body$ ${of.body} $body$`,
    `create or replace trigger ${of.name} ${of.moment} on ${of.table} for each row ${of.condition} execute function ${of.name}()`,
  ],
})
