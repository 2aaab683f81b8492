import type { ManagerRole } from '@lyceum/contract'
import type { Command } from 'commander'
import { normalizeLogin } from '../auth/authenticate.ts'
import { type Db, statement, statementOne, type UserRow } from '../db/index.ts'
import { CommandError } from './terminal.ts'

export type Role = ManagerRole | 'member'

interface Listed extends Pick<UserRow, 'id' | 'username' | 'email' | 'display_name' | 'status' | 'created_at'> {
  readonly role: Role
}

const LISTED = `select u.id, coalesce(s.username, u.username) as username, coalesce(s.email, u.email) as email, u.display_name, coalesce(m.role, 'member') as role, u.status, u.created_at
  from users u left join managers m on m.user_id = u.id and m.status = 'active' left join signups s on s.user_id = u.id`
export const PAGE = 1000

const oneUser = statementOne<Listed>(`${LISTED} where (u.username = $1 or u.email = $1) and u.status <> 'deleted'`)
export const usersAfter = statement<Listed>(`${LISTED} where u.id > $1 and u.status <> 'deleted' order by u.id limit ${PAGE}`)
export const staffAfter = statement<Listed>(`${LISTED} where u.id > $1 and m.id is not null order by u.id limit ${PAGE}`)

/** A command below `user` whose first argument is an account, for `userNamed`. */
export const accountCommand = (user: Command, name: string, description: string): Command =>
  user.command(name).description(description).argument('<user>', 'username or email address')

/** @throws CommandError */
export const userNamed = async (db: Db, name: string): Promise<Listed> => {
  const user = await oneUser(db, [normalizeLogin(name)])
  if (!user) throw new CommandError(`there is no user ${name}`)
  return user
}
