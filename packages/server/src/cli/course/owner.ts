import { PERMISSIONS } from '@lyceum/contract'
import { normalizeLogin } from '../../auth/authenticate.ts'
import type { WriteContext, WriteRequest } from '../../core/context.ts'
import { type Db, statementOne } from '../../db/index.ts'
import { CommandError } from '../terminal.ts'

interface Account {
  readonly id: number
  readonly username: string
}

const named = statementOne<Account>(`select id, username from users where (username = $1 or email = $1) and status = 'active'`)
const firstAdmin = statementOne<Account>(
  `select u.id, u.username from users u join managers m on m.user_id = u.id
   where m.role = 'admin' and m.status = 'active' and u.status = 'active' order by u.id limit 1`,
)

/** Whom an imported course belongs to: who is named, else the first administrator. */
export const ownerOf = async (db: Db, name: string | undefined): Promise<Account> => {
  const account = name === undefined ? await firstAdmin(db, []) : await named(db, [normalizeLogin(name)])
  if (!account)
    throw new CommandError(name === undefined ? 'there is no administrator: name the owner with --owner' : `nobody is called ${name}`)
  return account
}

/** A write in the name of somebody, for whom the operator may do everything. */
export const inNameOf = (ctx: WriteContext, { id, username }: Account): WriteRequest => ({
  ...ctx,
  actor: { id, username, role: 'admin', permissions: new Set(PERMISSIONS), managedSpaces: null, createdAt: '', sessionId: null },
  request: { id: 'command', ip: '', userAgent: '', url: '', startedAt: 0 },
})
