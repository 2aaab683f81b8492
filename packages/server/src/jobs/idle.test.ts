import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { createWorld } from '#test/world.ts'

const WATCHED_S = 2.5
const PER_SECOND = 2

test.skipIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('an idle server sends at most two statements a second', async () => {
  const world = await createWorld()
  const { worker, digests, presence } = world.app
  try {
    await world.runPendingJobs()
    for (const task of [worker, digests, presence]) task.start()
    // The first rounds also look for what an earlier process left.
    await pause(300)
    const sent = vi.spyOn(pg.Query.prototype, 'submit')
    await pause(WATCHED_S * 1000)
    const statements = sent.mock.calls.length
    sent.mockRestore()
    expect(statements).toBeGreaterThan(0)
    expect(statements).toBeLessThanOrEqual(PER_SECOND * WATCHED_S)
  } finally {
    await world.close()
  }
})
