import type { Env } from '#test/command.ts'
import { createCore } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { nowOf } from '../../server/src/core/clock.ts'
import { migrate } from '../../server/src/db/index.ts'
import { createAccount, createApplicationPassword, setRole } from '../../server/src/modules/accounts/index.ts'

export interface Person {
  readonly id: number
  readonly authorization: string
}

/** Creates the accounts before the server starts, each with a credential. The first is an administrator. */
export const makePeople = async (env: Env, count: number): Promise<Person[]> => {
  const core = createCore({ config: readConfig(env), passwordCost: 4 })
  await migrate(core.services.database, nowOf(core.services.clock))
  const people = await core.write(null, async (ctx) => {
    const made: Person[] = []
    for (let i = 1; i <= count; i++) {
      const username = `writer${i}`
      const email = `${username}@example.org`
      const id = await createAccount(ctx, { username, email, passwordHash: null, displayName: `Writer ${i}` })
      if (i === 1) await setRole(ctx, id, 'admin', null)
      const { password } = await createApplicationPassword(ctx, id, 'crash')
      made.push({ id, authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })
    }
    return made
  })
  await core.close()
  return people
}
