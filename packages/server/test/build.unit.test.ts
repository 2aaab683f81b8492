import { execFileSync, spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { BUILT, builtProgram } from '../bin/built.ts'

const build = () => execFileSync(process.execPath, ['scripts/build.ts', '--strict'], { encoding: 'utf8' })

test('a build matches its sources, and is reused while they are unchanged', () => {
  build()
  const program = builtProgram()
  expect(program).toContain(BUILT)
  expect(build()).toBe('')
  const asked = (file: string) => spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8' })
  const [here, there] = [asked(resolve('packages/server/src/cli/main.ts')), asked(String(program))]
  expect(there.stdout).toBe(here.stdout)
  expect(there.status).toBe(0)
})
