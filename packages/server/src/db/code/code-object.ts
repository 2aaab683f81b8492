import type { Dialect } from '../database.ts'

/** A trigger with what it runs: code that lives in the database, and is replaced when this version's differs. */
export interface CodeObject {
  /** Of the trigger, and on PostgreSQL of its function as well. */
  readonly name: string
  readonly table: string
  /** Make it, and replace an earlier one of that name. */
  readonly statements: readonly string[]
}

export interface Trigger {
  readonly name: string
  readonly table: string
  /** `after update of title`, as both databases spell it. */
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

/** A trigger of PostgreSQL and its function. Replacing it lets everybody go on reading the table. */
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
