import { type Db, runText, type Value } from '../../../../server/src/db/index.ts'

/** Sets columns of a row. Names of tables and columns must not come from users. */
export const setColumns = async (
  db: Db,
  table: string,
  columns: readonly string[],
  id: number,
  values: readonly Value[],
): Promise<void> => {
  await runText(db, `update ${table} set ${columns.map((column, i) => `${column} = $${i + 2}`).join(', ')} where id = $1`, [id, ...values])
}
