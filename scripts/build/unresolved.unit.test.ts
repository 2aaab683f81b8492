import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildServer } from './server.ts'
import { buildWeb } from './web.ts'

let folder = ''
const { NODE_ENV: environment } = process.env
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-'))
})
afterEach(() => {
  process.env['NODE_ENV'] = environment
  rmSync(folder, { recursive: true, force: true })
})

const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test('the server is not built with an import that is missing', async () => {
  const main = write('main.ts', `import { a } from 'package-that-is-missing'\nconsole.log(a)`)
  await expect(buildServer(main, join(folder, 'out'), 'main.js')).rejects.toThrow(/package-that-is-missing/)
})

test('the web app is not built with an import that is missing', async () => {
  write('index.html', '<script type="module" src="./main.ts"></script>')
  write('main.ts', `import { a } from 'package-that-is-missing'\nconsole.log(a)`)
  write('vite.config.ts', 'export default {}')
  await expect(buildWeb(folder, join(folder, 'out'))).rejects.toThrow(/package-that-is-missing/)
})
