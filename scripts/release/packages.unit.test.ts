import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { install } from './offline-install.ts'
import { buildPackages, packPackages } from './pack.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SDK_LIMIT_BYTES = 60_000

let folder = ''
let tarballs: ReturnType<typeof packPackages>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lyceum-release-'))
  await buildPackages(ROOT, folder)
  tarballs = packPackages(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const emptyProject = (name: string): string => {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"type":"module"}\n')
  return project
}

/** The Node.js of the machine and the one that the repository carries. */
const paths = (process.env['PATH'] ?? '').split(delimiter).filter((path) => path && !path.includes('node_modules'))
const systemNode = paths.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? process.execPath
const nodes = [...new Set([systemNode, process.execPath])]

const filesOf = (project: string, name: string) =>
  readdirSync(join(project, 'node_modules', name), { recursive: true, encoding: 'utf8' }).filter((file) => !file.includes('node_modules'))

describe('@lyceum/sdk', () => {
  let project = ''
  beforeAll(() => {
    project = emptyProject('consumer')
    install(ROOT, project, tarballs.sdk)
  })

  test('contains JavaScript and declarations, and depends on nothing', () => {
    const files = filesOf(project, '@lyceum/sdk').filter((file) => statSync(join(project, 'node_modules/@lyceum/sdk', file)).isFile())
    expect(files.filter((file) => !/^dist\/[\w-]+(\.d\.ts|\.js)$/.test(file)).sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
    expect(JSON.parse(readFileSync(join(project, 'node_modules/@lyceum/sdk/package.json'), 'utf8'))).not.toHaveProperty('dependencies')
    for (const file of files.filter((name) => name.startsWith('dist/')))
      expect(readFileSync(join(project, 'node_modules/@lyceum/sdk', file), 'utf8')).not.toMatch(/@lyceum\/contract|typebox|from ["'][^.]/)
  })

  test.each(nodes)('sends requests on %s', (node) => {
    const program = `
      import { createClient, LyceumError, pages } from '@lyceum/sdk'
      import { WEBHOOK_EVENTS } from '@lyceum/sdk/values'
      const urls = []
      const fetch = async (url) => (urls.push(url), new Response('{"feeds":{"data":[],"next_cursor":null}}'))
      const client = createClient({ baseUrl: 'https://community.example/api/v2', fetch })
      for await (const page of pages(client.feeds.list, { space: 'garden', unknown: 1 })) urls.push(page.feeds.data.length)
      console.log(JSON.stringify([urls, typeof LyceumError, WEBHOOK_EVENTS.includes('feed.created')]))`
    const { stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', program], { cwd: project, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([['https://community.example/api/v2/feeds?space=garden', 0], 'function', true])
  })

  test('has strict types', () => {
    cpSync(join(ROOT, 'packages/sdk/test/types.ts'), join(project, 'types.ts'))
    const options = ['--strict', '--skipLibCheck', 'false', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', '']
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, ...options, '--lib', 'es2024,dom,dom.iterable', 'types.ts'], {
      cwd: project,
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
  })

  test('documents every operation with its parameters', () => {
    const declarations = readFileSync(join(project, 'node_modules/@lyceum/sdk/dist/api.d.ts'), 'utf8')
    const lines = declarations.split('\n')
    const methods = lines.flatMap((line, index) => (/^ {4}readonly \w+: (Call|Listen)</.test(line) ? [lines[index - 1]] : []))
    expect(methods.length).toBeGreaterThan(200)
    expect(methods.filter((before) => before?.trim() !== '*/')).toEqual([])
    expect(declarations).toContain(`
    /**
     * List comments on a feed.
     *
     * Returns top-level comments and replies together, oldest first. A pinned comment comes first.
     *
     * \`GET /feeds/{feed_id}/comments\`
     *
     * @param input.feed_id - Id of the feed.
     * @param [input.page] - Number of the page, starting at 1.
`)
  })

  test('is small in a bundle', async () => {
    const entry = join(project, 'app.js')
    writeFileSync(entry, `import { createClient } from '@lyceum/sdk'\nawait createClient({ baseUrl: '/api/v2' }).feeds.list()\n`)
    const bundle = await rolldown({ input: entry, platform: 'browser' })
    const { output } = await bundle.generate({ format: 'esm', minify: true })
    await bundle.close()
    expect(output).toHaveLength(1)
    expect(Buffer.byteLength(output[0].code)).toBeLessThanOrEqual(SDK_LIMIT_BYTES)
    expect(output[0].code).not.toContain('whether there are more pages')
  })
})

describe('lyceum', () => {
  let project = ''
  beforeAll(() => {
    project = emptyProject('server')
    install(ROOT, project, tarballs.lyceum)
    mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
    symlinkSync('../lyceum/bin/lyceum.mjs', join(project, 'node_modules/.bin/lyceum'))
  })
  const env = { PATH: dirname(systemNode), LYCEUM_PORT: '0' }

  test('contains the licenses of the libraries in it', () => {
    const licenses = readFileSync(join(project, 'node_modules/lyceum/THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of ['fastify', 'react', 'undici', 'commander']) expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'))
    expect(licenses).not.toMatch(/^vitest \d/m)
  })

  test('contains no sources', () => {
    expect(filesOf(project, 'lyceum').filter((file) => /(?<!\.d)\.ts$|\.test\.|source-/.test(file))).toEqual([])
  })

  test('serves the API and the web app in an empty folder', async () => {
    const home = join(folder, 'community')
    mkdirSync(home)
    const server = spawn(systemNode, [join(project, 'node_modules/.bin/lyceum')], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = once(server, 'exit')
    try {
      let log = ''
      server.stderr.on('data', (chunk) => {
        log += chunk
      })
      const base = await new Promise<string>((ready, fail) => {
        let out = ''
        server.stdout.on('data', (chunk) => {
          out += chunk
          const found = /^Lyceum is listening on (\S+)\/api\/v2$/m.exec(out)?.[1]
          if (found) ready(found)
        })
        server.once('exit', (code) => fail(new Error(`exit code ${code}\n${out}\n${log}`)))
      })
      const get = async (path: string) => {
        const response = await fetch(base + path)
        return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
      }
      const page = await get('/setup')
      expect(page).toMatchObject({ status: 200, type: expect.stringContaining('text/html') })
      const asset = /(?:src|href)="([^"]+\.js)"/.exec(page.text)?.[1] ?? 'no script'
      expect(await get(asset)).toMatchObject({ status: 200, type: expect.stringContaining('javascript') })
      const description = await get('/api/v2/openapi.json')
      expect(JSON.parse(description.text)).toMatchObject({ openapi: '3.1.1' })
      expect((await get('/docs')).status).toBe(200)
      expect(existsSync(join(home, 'data'))).toBe(true)
    } finally {
      server.kill('SIGTERM')
    }
    expect(await ended).toEqual([0, null])
  })

  test('refuses an old Node.js in one line', () => {
    const outside = join(folder, 'without-node')
    cpSync(join(project, 'node_modules/lyceum'), outside, { recursive: true, filter: (path) => !path.includes('/dist/') })
    const old = join(folder, 'old-node.mjs')
    writeFileSync(old, `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })\n`)
    const { status, stdout, stderr } = spawnSync(systemNode, ['--import', old, join(outside, 'bin/lyceum.mjs')], { env, encoding: 'utf8' })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^lyceum: needs Node\.js 24 or newer, this is 20\.20\.2.*\n$/)
  })

  test('has the version of the repository', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    const said = execFileSync(systemNode, [join(project, 'node_modules/.bin/lyceum'), '--version'], { cwd: folder, env, encoding: 'utf8' })
    expect(said.trim()).toBe(version)
  })
})
