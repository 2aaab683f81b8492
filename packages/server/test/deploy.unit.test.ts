import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unknownVariables } from '../src/config.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

test.each([
  ['docs/guide/reverse-proxy.md', 'deploy/nginx/lyceum.conf'],
  ['docs/guide/reverse-proxy.md', 'deploy/caddy/Caddyfile'],
  ['docs/guide/installation.md', 'deploy/systemd/lyceum.service'],
  ['docs/guide/installation.md', 'deploy/systemd/lyceum.env'],
  ['docs/guide/installation.md', 'deploy/systemd/lyceum'],
])('%s quotes %s word by word', (page, file) => {
  expect(read(page)).toContain(`\n${read(file)}\`\`\`\n`)
})

test('deployment files name no unknown variable', () => {
  const files = globSync('deploy/**/*', { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())
  const named = files.flatMap(
    ({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').match(/\bLYCEUM_[A-Z_]*[A-Z]\b/g) ?? [],
  )
  expect(named).toContain('LYCEUM_DRAIN_SECONDS')
  expect(unknownVariables(Object.fromEntries(named.map((name) => [name, ''])))).toEqual([])
})

test('workflows pin each action to a commit', () => {
  const uses = globSync('.github/workflows/*.yml', { cwd: root }).flatMap((file) => read(file).match(/\buses: .*/g) ?? [])
  expect(uses.length).toBeGreaterThan(0)
  for (const one of uses) expect(one).toMatch(/^uses: (?:\.\/\S+|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/)
})

test('Compose runs everything but Lyceum by profile, and pins each image', () => {
  const [, services = ''] = /^services:\n([\s\S]*?)^\S/m.exec(read('deploy/compose.yaml')) ?? []
  const blocks = [...services.matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n)*)/gm)]
  const profiles = blocks.map(([, name, block = '']) => [name, /^ {4}profiles: (.*)$/m.exec(block)?.[1]])
  expect(Object.fromEntries(profiles)).toEqual({ lyceum: undefined, postgres: '[postgres]', redis: '[redis]', proxy: '[proxy]' })
  for (const [, , block] of blocks) expect(block).toMatch(/^ {4}image: [\w/.-]+:\d+\.\d+/m)
})

test('the image runs as another user than root and checks readiness', () => {
  const final = read('deploy/Dockerfile')
    .split(/^FROM /m)
    .at(-1)
  expect(final).toMatch(/^USER 65532:65532$/m)
  expect(final).toMatch(/^VOLUME \/data$/m)
  expect(final).toMatch(/^HEALTHCHECK .*health\.mjs/m)
  expect(read('deploy/container/health.mjs')).toContain('/health/ready')
})

describe('the chart', () => {
  const chart = 'deploy/helm/lyceum'
  const TAKEN_WHOLE = new Set(['resources'])
  const templates = globSync(`${chart}/templates/*.yaml`, { cwd: root })

  test.each(templates)('%s closes each block', (file) => {
    let open = 0
    for (const [, word] of read(file).matchAll(/\{\{-? *(if|range|with|end)\b/g)) {
      open += word === 'end' ? -1 : 1
      expect(open).toBeGreaterThanOrEqual(0)
    }
    expect(open).toBe(0)
  })

  test('uses each of its values, and no other', () => {
    const paths: string[] = []
    let section = ''
    for (const [, indent = '', name = '', value] of read(`${chart}/values.yaml`).matchAll(/^( *)(\w+):(.*)$/gm)) {
      if (!indent) section = value || TAKEN_WHOLE.has(name) ? '' : `${name}.`
      if (!section ? !indent : indent) paths.push(section + name)
    }
    const used = templates.flatMap((file) => [...read(file).matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path))
    expect([...new Set(used)].sort()).toEqual(paths.sort())
  })
})
