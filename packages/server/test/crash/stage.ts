import { createCore } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { migrate } from '../../src/db/index.ts'
import { createAccount, createApplicationPassword, setRole } from '../../src/modules/accounts/index.ts'
import { nowOf } from '../../src/platform/clock.ts'
import type { Env } from '../command.ts'

export interface Person {
  readonly id: number
  readonly authorization: string
}

/** Makes the accounts before the server is there, each with a credential. The first one administers. */
export const makePeople = async (env: Env, count: number): Promise<Person[]> => {
  const core = createCore({ config: readConfig(env), passwordCost: 4 })
  await migrate(core.services.database, nowOf(core.services.clock))
  const people: Person[] = []
  for (let i = 1; i <= count; i++) {
    const username = `writer${i}`
    const { id, password } = await core.write(null, async (ctx) => {
      const account = await createAccount(ctx, {
        username,
        email: `${username}@example.org`,
        passwordHash: null,
        displayName: `Writer ${i}`,
      })
      if (i === 1) await setRole(ctx, account, 'admin', null)
      return { id: account, password: (await createApplicationPassword(ctx, account, 'crash')).password }
    })
    people.push({ id, authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })
  }
  await core.close()
  return people
}
