import { expect } from 'vitest'
import { CHECKS } from '../src/cli/doctor/checks.ts'
import { offenders } from '../src/cli/doctor/run-checks.ts'
import { nowOf } from '../src/core/clock.ts'
import type { World } from './world.ts'

/** Runs all consistency checks of `lyceum doctor`: counters, lists, references, names. */
export const expectSound = async ({ app, clock }: World, ...except: readonly string[]): Promise<void> => {
  const broken: Record<string, readonly (string | number)[]> = {}
  for (const check of CHECKS.filter(({ name }) => !except.includes(name))) {
    const ids = await offenders(app.services.database.read, check, nowOf(clock))
    if (ids.length > 0) broken[check.name] = ids
  }
  expect(broken).toEqual({})
}
