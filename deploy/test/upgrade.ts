import { deepStrictEqual } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve, sh } from './first-start/commands.ts'
import { blocksOf } from './first-start/guide.ts'
import { posts, setUp } from './first-start/use.ts'

/*
 * Starts a community with the program of an older commit, upgrades it to the last commit with the commands of the guide, and rolls back to the
 * older program. Usage: node deploy/test/upgrade.ts COMMIT
 */

const [, , older = ''] = process.argv
const newer = sh('git rev-parse HEAD', '.').trim()
const folder = mkdtempSync(join(tmpdir(), 'lyceum-upgrade-'))
const checkout = join(folder, 'lyceum')
const port = 22_000 + (process.pid % 5000)
const origin = `http://127.0.0.1:${port}`
const env = {
  ...process.env,
  PATH: (process.env['PATH'] ?? '')
    .split(':')
    .filter((path) => !path.includes('node_modules'))
    .join(':'),
}

const run = (script: string, where = checkout) => {
  console.log(`$ ${script.trim()}`)
  console.log(sh(script, where, env).trim())
}
const served = async <T>(use: (setupLink: string) => Promise<T>): Promise<T> => {
  const { setupLink, stop } = await serve('npm start', checkout, { ...env, LYCEUM_PORT: String(port) })
  try {
    return await use(setupLink)
  } finally {
    await stop()
  }
}

const [rehearse = '', build = '', migrate = ''] = blocksOf('upgrade-and-rollback.md', 'Upgrade')
const [restore = ''] = blocksOf('upgrade-and-rollback.md', 'Rollback')
run(`git clone --quiet file://${process.cwd()} lyceum; cp -r lyceum second`, folder)
run(`git checkout --quiet ${older}\n${build}`)
await served(async (setupLink) => {
  await setUp(origin, setupLink)
  deepStrictEqual(await posts(origin, 'Before the upgrade'), ['Before the upgrade'])
})

run(`git checkout --quiet ${newer}\n${build}\n${rehearse}`, join(folder, 'second'))
run(`git checkout --quiet ${newer}\n${build}\n${migrate}`)
deepStrictEqual(await served(() => posts(origin, 'After the upgrade')), ['After the upgrade', 'Before the upgrade'])

run(`git checkout --quiet ${older}\n${build}\n${restore}`)
deepStrictEqual(await served(() => posts(origin)), ['Before the upgrade'])
rmSync(folder, { recursive: true, force: true })
console.log(`${older} was upgraded to ${newer} and rolled back.`)
