import { type Client, createClient } from '@lyceum/sdk'
import { createApplicationPassword } from '../src/modules/accounts/index.ts'
import type { World } from './world.ts'

/** A client that acts as a member who exists already. */
export const asMember = async ({ app, base }: World, username: string): Promise<Client> => {
  const { id } = await app.services.database.read
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  const { password } = await app.write(null, (ctx) => createApplicationPassword(ctx, id, 'tests'))
  return createClient({ baseUrl: base, username, password })
}
