import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import { bomb } from '#test/media.ts'
import { StorageUnavailable } from '../storage/index.ts'
import type { Conversion } from './convert.ts'
import { createConverter } from './converter.ts'
import { BadImage } from './errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'converter-'))
const onLinux = process.platform === 'linux'
let files = 0

const conversionOf = (bytes: Buffer): Conversion => {
  files += 1
  const [file = '', out = '', thumbnail = ''] = ['in', 'out', 'thumbnail'].map((name) => join(folder, `${files}.${name}`))
  writeFileSync(file, bytes)
  return { file, type: 'image/png', animated: false, out, thumbnail, seconds: 60 }
}
const small = conversionOf(bomb(300, 200))
/** Takes about a second. */
const large = conversionOf(bomb(4200, 4200))

const converters: ReturnType<typeof createConverter>[] = []
const create = (options?: Parameters<typeof createConverter>[0]) => {
  const converter = createConverter(options)
  converters.push(converter)
  return converter
}
afterEach(async () => {
  await Promise.all(converters.splice(0).map((converter) => converter.close()))
})

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !onLinux || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** A program that replaces the converter process. */
const programOf = (code: string): URL => {
  files += 1
  const path = join(folder, `${files}.mjs`)
  writeFileSync(path, code)
  return pathToFileURL(path)
}

const pidOf = (converter: ReturnType<typeof createConverter>): number => {
  const pid = converter.pid()
  if (pid === null) throw new Error('there is no child process')
  return pid
}

test('converts in a child process whose threads all have a low priority', async () => {
  const converter = create()
  expect(converter.pid()).toBeNull()
  expect(await converter.convert(small)).toEqual({ width: 300, height: 200 })
  expect((await sharp(small.thumbnail).metadata()).format).toBe('webp')
  const pid = pidOf(converter)
  expect(getPriority(pid)).toBe(10)
  await converter.convert(small)
  expect(pidOf(converter)).toBe(pid)
  if (!onLinux) return
  const threads = readdirSync(`/proc/${pid}/task`)
  expect(threads.length).toBeGreaterThan(2)
  expect(threads.map((thread) => getPriority(Number(thread)))).toEqual(threads.map(() => 10))
  expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('500')
})

test.runIf(onLinux)('the child process does not get the secrets of the server', async () => {
  vi.stubEnv('LYCEUM_SECRET', 'not-for-the-child')
  const converter = create()
  await converter.convert(small)
  vi.unstubAllEnvs()
  const environment = readFileSync(`/proc/${pidOf(converter)}/environ`, 'utf8')
  expect(environment).toContain('UV_THREADPOOL_SIZE=2')
  expect(environment).not.toContain('LYCEUM_')
})

test('reports broken images and failed writes like the server itself', async () => {
  const converter = create()
  await expect(converter.convert(conversionOf(Buffer.from('GIF89a')))).rejects.toThrow(new BadImage('The image cannot be read.'))
  await expect(converter.convert({ ...small, out: join(folder, 'missing/out') })).rejects.toBeInstanceOf(StorageUnavailable)
  expect(await converter.convert(small)).toEqual({ width: 300, height: 200 })
})

test('a child process that is killed is replaced, and no image is lost', async () => {
  const converter = create()
  const results = Promise.all([large, small, small].map((each) => converter.convert(each)))
  const first = await vi.waitFor(() => pidOf(converter), 5000)
  process.kill(first, 'SIGKILL')
  expect(await results).toEqual([
    { width: 4096, height: 4096 },
    { width: 300, height: 200 },
    { width: 300, height: 200 },
  ])
  const second = pidOf(converter)
  expect(second).not.toBe(first)
  process.kill(second, 'SIGKILL')
  await converter.convert(small)
  expect(pidOf(converter)).not.toBe(second)
})

test('an image that crashes the child process twice is refused', async () => {
  const converter = create({ program: programOf("process.on('message', () => process.kill(process.pid, 'SIGKILL'))") })
  await expect(converter.convert(small)).rejects.toThrow(new BadImage('The image cannot be read.'))
  expect(converter.pid()).toBeNull()
})

test('an image that takes too long is refused, and the child process is ended', async () => {
  const pidFile = join(folder, 'pid')
  const program = programOf(`import { writeFileSync } from 'node:fs'
process.on('message', () => writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)))`)
  const converter = create({ program, timeoutMs: 2000 })
  await expect(converter.convert(small)).rejects.toBeInstanceOf(BadImage)
  expect(converter.pid()).toBeNull()
  expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
})

test('an idle child process is ended, and so is one that has grown', async () => {
  const idle = create({ idleMs: 20 })
  await idle.convert(small)
  await vi.waitFor(() => expect(idle.pid()).toBeNull(), 5000)
  expect(await idle.convert(small)).toEqual({ width: 300, height: 200 })
  const growing = create({ maxMemory: 1 })
  await growing.convert(small)
  expect(growing.pid()).toBeNull()
})

test('a shutdown ends the child process after the conversions that have been requested', async () => {
  const converter = create()
  const result = converter.convert(large)
  const pid = await vi.waitFor(() => pidOf(converter), 5000)
  process.kill(pid, 'SIGTERM')
  await converter.close()
  expect(isAlive(pid)).toBe(false)
  expect(await result).toEqual({ width: 4096, height: 4096 })
})

const script = (rest: string) => `
import { createConverter } from ${JSON.stringify(new URL('./converter.ts', import.meta.url).href)}
const converter = createConverter()
${rest}`
const SMALL = JSON.stringify(small)

test('an idle child process does not keep a command from ending', () => {
  const code = script(`await converter.convert(${SMALL}); console.log(converter.pid())`)
  const pid = Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', timeout: 30_000 }))
  expect(pid).toBeGreaterThan(0)
  return vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5000)
})

test('the child process ends when the server is killed during a conversion', async () => {
  const conversion = { ...large, out: join(folder, 'killed.out') }
  const code = script(`converter.convert(${JSON.stringify(conversion)}).catch(() => {})
setTimeout(() => console.log(converter.pid()), 100)`)
  const server = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await once(server.stdout, 'data')
  const pid = Number(output)
  await vi.waitFor(() => expect(existsSync(conversion.out)).toBe(true), 20_000)
  server.kill('SIGKILL')
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5000)
})
