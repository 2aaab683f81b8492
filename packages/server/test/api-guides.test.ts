import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, inject, test } from 'vitest'
import { createShell, type Shell, type Step, stepsOf, withoutTimes } from '#test/document-steps.ts'
import { picture } from '#test/media.ts'
import { register } from '#test/session.ts'
import { LOOPBACK } from '#test/webhook-receiver.ts'
import { createWorld, type World } from '#test/world.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PLACEHOLDERS = { ana: 'Cd5f Gh7k Lm9q Rs2t Vw4x Yz6b', ben: 'Ab3d Ef6h Ij9l Mn2p Qr5t Uv8x' }

const RUN = new Set(['sh', 'ts'])
const SHOWN = new Set(['json', 'text'])
/** A response that the guide does not show must not be an error. */
const FAILED = /"status": ?[45]\d\d/

const guides = globSync('docs/api/*.md', { cwd: ROOT }).filter((file) => basename(file) !== 'README.md')

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The community that the guides describe: ana administrates it, ben is a member, cleo knows her account password. */
const community = async () => {
  // Receivers compare the time of a delivery with their own clock. Rate limits count from the start of a minute.
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000)
  const world = await createWorld({ env: { ...LOOPBACK, LYCEUM_RATE_LIMIT: 'on' }, start: minute.toISOString() })
  const ana = await world.member({ username: 'ana', role: 'admin' })
  const ben = await world.member({ username: 'ben' })
  const cleo = await register(world, { username: 'cleo' })
  const { data: space } = await ana.api.spaces.create({ title: 'Garden' })
  for (const { id } of [ben, cleo]) await ana.api.spaceMembers.add({ space_slug: space.slug, user_id: id })
  for (const week of [1, 2, 3, 4, 5]) {
    await ana.api.feeds.create({ space_id: space.id, title: `Week ${week}`, message: `Notes of week ${week}.` })
    world.clock.advance(12)
  }
  return { world, ana, ben }
}

/** A text in which `…` stands for anything. */
const patternOf = (text: string) =>
  new RegExp(
    `^${text
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[\\s\\S]*')}$`,
  )

/** What a response must contain. Lists are complete; objects may have more fields. */
const expected = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes('…') ? expect.stringMatching(patternOf(value)) : value
  if (Array.isArray(value)) return value.map(expected)
  if (typeof value !== 'object' || value === null) return value
  return expect.objectContaining(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expected(one)])))
}

let world: World | undefined
let shell: Shell | undefined
afterEach(async () => {
  shell?.end()
  await world?.close()
  world = undefined
})

const runStep = async (running: Shell, folder: string, { language, text }: Step, output: string): Promise<string> => {
  const name = /^\/\/ (\S+\.ts)\n/.exec(text)?.[1]
  if (language === 'ts') writeFileSync(join(folder, name ?? 'hello.ts'), text)
  if (language === 'ts' && name === undefined) return running.run('node hello.ts')
  if (language === 'sh') return running.run(text)
  if (language === 'json') expect(JSON.parse(withoutTimes(output)), output).toEqual(expected(JSON.parse(withoutTimes(text))))
  return output
}

test('there are guides', () => {
  expect(guides.map((file) => basename(file, '.md')).sort()).toEqual([
    'authentication',
    'errors',
    'first-request',
    'limits',
    'pagination',
    'uploads',
    'webhooks',
  ])
})

test.each(guides)('the examples of %s work as described', async (file) => {
  const made = await community()
  world = made.world
  const port = await freePort()
  const folder = mkdtempSync(join(inject('scratch'), 'guide-'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'photo.jpg'), await picture('jpeg', 1200, 800))
  shell = createShell(folder, {
    ...process.env,
    NODE_COMPILE_CACHE: join(inject('scratch'), 'compiled'),
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    API: world.base,
    LOGIN: `ben:${made.ben.password}`,
  })

  const actual = (text: string) =>
    text
      .replaceAll('https://community.example', made.world.origin)
      .replaceAll('https://hooks.example.org', `http://127.0.0.1:${port}`)
      .replaceAll('8080', String(port))
      .replaceAll(PLACEHOLDERS.ana, made.ana.password)
      .replaceAll(PLACEHOLDERS.ben, made.ben.password)

  const steps = stepsOf(readFileSync(join(ROOT, file), 'utf8')).map(({ language, text }) => ({ language, text: actual(text) }))
  expect(steps.filter(({ language }) => language === 'sh').length).toBeGreaterThan(2)
  let output = ''
  for (const [index, step] of steps.entries()) {
    output = await runStep(shell, folder, step, output)
    const [before = '', after = ''] = [steps[index - 1]?.language, steps[index + 1]?.language]
    // Other texts, such as a command to install, are no output.
    if (step.language === 'text' && RUN.has(before)) expect(output.replaceAll('\r', '')).toMatch(patternOf(step.text.trim()))
    if (RUN.has(step.language) && !SHOWN.has(after)) expect(output).not.toMatch(FAILED)
    await made.world.runPendingJobs()
  }
})
