import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@lyceum/sdk'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Env, freshEnv, lyceumJson, processEnv } from '#test/command.ts'
import { createShell, type Shell, stepsOf } from '#test/document-steps.ts'
import { withDatabase } from '#test/hash.ts'
import { LATEST_RECORDED, recordedEnv } from '#test/recorded-schemas/load.ts'
import { linesOf } from '#test/schema.ts'
import { knownMigrations } from '../../server/src/db/index.ts'
import { becomeNext } from './next-version.ts'
import { endAll, serving, spawnLyceum } from './process.ts'

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const GUIDE = readFileSync(pathTo('../../../docs/guide/upgrade-and-rollback.md'), 'utf8')
/** The program of this version, and of one with more tables. */
const PRESENT = pathTo('../../server/bin/lyceum.mjs')
const NEXT = pathTo('./next-version.ts')

const commandsOf = (title: string): string[] => {
  const section = GUIDE.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ''
  const commands = stepsOf(section.replace(/^ {3}/gm, '')).map(({ text }) => text)
  expect(commands.join('')).toContain('npx lyceum')
  // The tests install and build nothing.
  return commands.filter((text) => !text.startsWith('npm ci'))
}

describe('the guide to upgrades and rollbacks', () => {
  let checkout: string
  let env: Env
  let shell: Shell
  let password: string

  beforeAll(async () => {
    const recorded = await recordedEnv()
    checkout = join(mkdtempSync(join(inject('scratch'), 'guide-')), 'lyceum')
    mkdirSync(checkout)
    renameSync(recorded['LYCEUM_DATA_DIR'] ?? '', join(checkout, 'data'))
    env = { ...recorded, LYCEUM_DATA_DIR: join(checkout, 'data') }
    const { LYCEUM_DATA_DIR: _, ...ofShell } = processEnv(env)
    shell = createShell(checkout, ofShell)
  })
  afterAll(() => {
    shell?.end()
    endAll()
  })

  /** Runs the commands of a section with a version of the program. */
  const follow = async (title: string, program: string): Promise<void> => {
    await shell.run(`npx() { shift; '${process.execPath}' '${program}' "$@"; }`)
    for (const command of commandsOf(title))
      expect(await shell.run(`set -e; (${command})\necho "ended with $?"`)).toMatch(/^ended with 0$/m)
  }

  const backups = () => readdirSync(join(checkout, 'data/backups'))
  const migrations = () => linesOf(env, 'select name as line from migrations order by name')

  /** Starts a version of the program and uses its API as an administrator. */
  const withApi = async <T>(program: string, use: (api: ReturnType<typeof createClient>) => Promise<T>): Promise<T> => {
    const server = await serving(spawnLyceum(env, 'serve', program))
    try {
      return await use(createClient({ baseUrl: server.base, username: 'zoe', password }))
    } finally {
      server.signal('SIGTERM')
      expect(await server.ended).toBe(0)
    }
  }

  test('leads from a recorded version to this one, and back from the next one to this one', async () => {
    const members = await linesOf(env, 'select username as line from users order by id')
    const feeds = await linesOf(env, 'select title as line from feeds order by id')
    expect((await migrations()).at(-1)).toBe(LATEST_RECORDED)

    await follow('Upgrade', PRESENT)
    expect(await migrations()).toEqual(knownMigrations())
    expect(backups()).toHaveLength(1)
    expect(await linesOf(env, 'select username as line from users order by id')).toEqual(members)
    expect(await linesOf(env, 'select title as line from feeds order by id')).toEqual(feeds)
    const account = ['--username', 'zoe', '--email', 'zoe@example.org', '--password', 'Quiet-river-7431', '--role', 'admin']
    await lyceumJson(env, 'user', 'create', ...account)
    ;({ password } = await lyceumJson<{ password: string }>(env, 'user', 'app-password', 'zoe', '--name', 'guide'))
    const total = await withApi(PRESENT, async (api) => {
      await api.feeds.create({ message: 'Before the next upgrade' })
      return (await api.feeds.list({})).feeds.total
    })

    await follow('Upgrade', NEXT)
    expect((await migrations()).at(-1)).toBe('9000-next')
    expect(backups()).toHaveLength(2)
    const after = { message: 'After the next upgrade' }
    const back = becomeNext()
    try {
      await withDatabase(env, ({ write }) => write((db) => db.updateTable('feeds').set(after).execute()))
    } finally {
      back()
    }

    if (env['LYCEUM_DATABASE_URL']) {
      env = { ...env, LYCEUM_DATABASE_URL: (await freshEnv())['LYCEUM_DATABASE_URL'] ?? '' }
      await shell.run(`export LYCEUM_DATABASE_URL='${env['LYCEUM_DATABASE_URL']}'`)
    }
    await follow('Rollback', PRESENT)
    expect(await migrations()).toEqual(knownMigrations())
    const restored = await withApi(PRESENT, async (api) => (await api.feeds.list({})).feeds)
    expect(restored).toMatchObject({
      total,
      data: expect.arrayContaining([expect.objectContaining({ message: 'Before the next upgrade' })]),
    })
    expect(await linesOf(env, 'select username as line from users order by id')).toEqual([...members, 'zoe'])
    expect(readdirSync(dirname(env['LYCEUM_DATA_DIR'] ?? '')).sort()).toEqual(['data', 'data-upgraded'])
  })
})
