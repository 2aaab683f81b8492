import { Session } from 'node:inspector/promises'
import { expect, test } from 'vitest'
import { createWorld } from '#test/world.ts'

const MAX_FILES = 40
/** Timers, the job worker and the warm-up of the search index run beside the request. */
const BACKGROUND = /^(?:jobs|realtime)\/|^observability\/event-loop-watchdog\.ts$|^modules\/feeds\/search\/feed-index\.ts$/

/** Files of the server, below `src`, whose functions run during `work`. */
const filesRun = async (work: () => Promise<unknown>): Promise<string[]> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  return result.flatMap(({ url, functions }) => {
    const [, path] = url.split('/packages/server/src/')
    const hasRun = functions.some(({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0))
    return path !== undefined && hasRun && !BACKGROUND.test(path) ? [path] : []
  })
}

/** A reader of the code should be able to follow a request from its route to its rows. Measured on the default database. */
test.skipIf(process.env['LYCEUM_TEST_DATABASE'] === 'postgres')(`a cold GET /feeds runs through at most ${MAX_FILES} files`, async () => {
  const world = await createWorld()
  try {
    const ana = await world.member()
    await ana.api.feeds.create({ message: 'Hello' })
    await world.runPendingJobs()
    const files = await filesRun(() => ana.api.feeds.list())
    expect(files).toContain('modules/feeds/routes.ts')
    expect(files.length, files.sort().join('\n')).toBeLessThanOrEqual(MAX_FILES)
  } finally {
    await world.close()
  }
})
