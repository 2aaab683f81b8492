import { type CodeState, codeState, type Db, tableDifferences } from '../../db/index.ts'

/** Differences of tables and triggers from this version. */
export interface SchemaFindings {
  readonly tables: readonly string[]
  readonly triggers: readonly string[]
  readonly warnings: readonly string[]
}

const wrongTriggers = ({ newer, missing, different, leftover }: CodeState): string[] =>
  newer !== null
    ? []
    : [
        ...missing.map((name) => `${name} is missing`),
        ...different.map((name) => `${name} differs`),
        ...leftover.map((name) => `${name} is obsolete`),
      ]

export const examineSchema = async (db: Db): Promise<SchemaFindings> => {
  const state = await codeState(db)
  const { missing, unknown } = await tableDifferences(db)
  return {
    tables: missing.map((name) => `${name} is missing`),
    triggers: wrongTriggers(state),
    warnings: [
      ...(state.newer === null ? [] : ['a newer version has installed its triggers; they stay']),
      ...(unknown.length === 0 ? [] : [`unknown to this version: ${unknown.join(', ')}`]),
    ],
  }
}
