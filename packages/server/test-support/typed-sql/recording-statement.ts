import type { Db } from '../../src/db/database.ts'
import * as original from '../../src/db/sql/statement.ts'
import { record } from './record-calls.ts'

// Replaces `db/sql/statement.ts` while statements are recorded, so it exports the same names.

export type { Placeholder, Value } from '../../src/db/sql/statement.ts'
export const { containsText, exists, idsTable, likeContaining, limitTo, paddedParts, parameters, lateralRows, rowVersion } = original

export const statement = <Row>(text: string) => {
  record(text)
  return original.statement<Row>(text)
}

export const statementOne = <Row>(text: string) => {
  record(text)
  return original.statementOne<Row>(text)
}

export const statementValues = <T extends original.Value>(text: string) => {
  record(text)
  return original.statementValues<T>(text)
}

export const statementExists = (text: string) => {
  record(text)
  return original.statementExists(text)
}

export const statementRowCount = (text: string) => {
  record(text)
  return original.statementRowCount(text)
}

export const statementNumber = (text: string) => {
  record(text)
  return original.statementNumber(text)
}

export const insertReturningId = (text: string) => {
  record(`${text} returning id`)
  return original.insertReturningId(text)
}

export const statementIn = <Row>(text: (list: string) => string) => {
  const first = Math.max(0, ...[...text('').matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits))) + 1
  record(text(`$${first}, $${first + 1}`))
  return original.statementIn<Row>(text)
}

export const runText = <Row>(db: Db, text: string, values: readonly original.Value[]): Promise<Row[]> => {
  record(text)
  return original.runText<Row>(db, text, values)
}

type Assemble = (p: original.Placeholder) => string | null

const recorded =
  (text: Assemble): Assemble =>
  (p) => {
    const assembled = text(p)
    if (assembled !== null) record(assembled)
    return assembled
  }

export const selectRows = <Row>(db: Db, text: Assemble): Promise<Row[]> => original.selectRows<Row>(db, recorded(text))

export const selectNumber = (db: Db, text: Assemble): Promise<number> => original.selectNumber(db, recorded(text))

export const countRows = (db: Db, from: (p: original.Placeholder) => string): Promise<number> =>
  selectNumber(db, (p) => `select count(*) as n from ${from(p)}`)
