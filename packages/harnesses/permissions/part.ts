import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStage, type Stage } from '#test/one-of-each.ts'
import { rollBackWrites } from '#test/rollback-helper.ts'
import { report, SOAK } from '#test/scale.ts'
import { cellsOf, lookAt, turnsOf } from './matrix.ts'
import { type Part, POLICY } from './policy.ts'

/** Permission code does not depend on the database: on the slower one the full matrix runs only in long runs. */
const drawn = SOAK > 1 || process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' ? cellsOf : turnsOf

/** The tests of one part of the API: each of its routes, requested by every actor. */
export const describeMatrix = (part: Part): void => {
  describe(`who may do what: ${part}`, () => {
    let stage: Stage
    let cells = 0

    beforeAll(async () => {
      stage = await makeStage()
      rollBackWrites(stage.world)
    }, 60_000)
    afterAll(async () => {
      await stage.world.close()
      report({ part, operations: Object.keys(POLICY[part]).length, actors: stage.actors.length, cells })
    })

    test.each(Object.entries(POLICY[part]))('%s', { timeout: 60_000 }, async (id, rules) => {
      const looked = await lookAt(stage, id, rules, stage.actors, drawn(stage.actors, rules))
      cells += looked.cells
      expect(looked.differences).toEqual({})
    })
  })
}
