import { type Db, dialectOf } from './database.ts'
import { statementOne } from './statement.ts'

export interface ClaimedJob {
  readonly id: number
  readonly name: string
  readonly payload: string
  readonly attempts: number
}

const claim = {
  sqlite: statementOne<ClaimedJob>(`delete from jobs where id = $1 and status = 'ready' returning id, name, payload, attempts`),
  postgres: statementOne<ClaimedJob>(
    `delete from jobs where id = (select id from jobs where id = $1 and status = 'ready' for update skip locked)
     returning id, name, payload, attempts`,
  ),
}

/** Takes a job out of the table for the transaction that runs it; undefined when another worker has it. */
export const claimJob = (db: Db, id: number): Promise<ClaimedJob | undefined> => claim[dialectOf(db)](db, [id])
