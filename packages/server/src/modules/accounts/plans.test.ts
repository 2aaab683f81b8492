import { expect, test } from 'vitest'
import { expectNoScan, plansOf } from '#test/plans.ts'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld } from '#test/world.ts'

test.runIf(process.env.LYCEUM_TEST_DATABASE === 'sqlite')(
  'users, sessions, tokens and application passwords are found by index',
  async () => {
    const world = await createWorld()
    const ana = await register(world)
    const { raw } = await signIn(world, ana.username)
    // Without caching, so that each request authenticates against the database.
    world.app.services.caches.subscribe({ subscribeToChanges: () => null })
    const calls = [
      () => world.anonymous.auth.login({ login: ana.email, password: PASSWORD }),
      () => world.anonymous.auth.register({ username: 'somebody', email: 'somebody@example.org', password: PASSWORD }),
      () => world.anonymous.auth.forgotPassword({ login: ana.username }).then(() => world.runPendingJobs()),
      () => raw('GET', '/auth/session'),
      () => raw('GET', '/profile/me'),
      () => raw('GET', '/settings/public'),
      () => raw('POST', '/account/application-passwords', { name: 'x' }),
      () => raw('GET', '/account/application-passwords'),
      () => raw('POST', '/account/email', { current_password: PASSWORD, email: 'other@example.org' }),
      () => raw('POST', '/account/password', { current_password: PASSWORD, new_password: 'Other-river-9152' }),
      () => raw('POST', '/auth/logout'),
    ]
    const writer = await world.app.services.database.write(async (db) => db)
    for (const call of calls) {
      const written = await plansOf(writer, () => expectNoScan(world, call))
      for (const { sql, steps } of written)
        expect({ sql, scans: steps.filter((step) => /^SCAN (?!\d+-ROW VALUES CLAUSE$|CONSTANT ROW$|e VIRTUAL TABLE)/.test(step)) }).toEqual(
          {
            sql,
            scans: [],
          },
        )
    }
    await world.close()
  },
)
