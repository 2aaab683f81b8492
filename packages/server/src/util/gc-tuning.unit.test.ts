import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const MODULE = new URL('./gc-tuning.ts', import.meta.url).href

/** The room for new objects, in MiB, after many that live for a while were made, with turns in between. */
const after = (start: string) => {
  const script = `
    import v8 from 'node:v8'
    import { limitYoungGeneration } from '${MODULE}'
    ${start}
    const kept = []
    for (let turn = 0; turn < 700; turn++) {
      for (let i = 0; i < 4000; i++) kept[(turn * 4000 + i) % 200000] = { i, list: [i, turn] }
      await new Promise(setImmediate)
    }
    console.log(v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', script])
  return Number(stdout)
}

test('the young generation stays small, which V8 would let grow', () => {
  expect(after('')).toBeGreaterThanOrEqual(32)
  const limited = after('limitYoungGeneration()')
  expect(limited).toBeGreaterThan(1)
  expect(limited).toBeLessThanOrEqual(16)
})
