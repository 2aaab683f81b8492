import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuseUnresolved } from '../build/server.ts'
import { contractRoutes } from './contract-routes.ts'
import { commonFields, readManifest } from './manifest.ts'
import { apiDeclarations } from './sdk-types.ts'

const SOURCES = 'packages/sdk'
/** Modules whose declarations are published as the compiler emits them. `client` and the contract are replaced by generated ones. */
const EMITTED = ['error', 'index', 'methods', 'pages', 'stream', 'transport']

const HEAD = `import type { Client } from './api.js'
import type { ClientOptions } from './methods.js'

export type { Answers, Client, Inputs } from './api.js'

/** Creates a typed client for a Lyceum server. Every operation of the API is a method. */
export declare const createClient: (options: ClientOptions) => Client
`

const ROUTE = `export interface Route {
  readonly method: string
  readonly path: string
}
`

/** Declarations refer to each other and to nothing outside of the package. */
const selfContained = (declarations: string) =>
  declarations
    .replaceAll("{ Route } from '@lyceum/contract'", "{ Route } from './route.js'")
    .replaceAll("from '@lyceum/contract'", "from './api.js'")
    .replaceAll(/from '(\.\/[\w-]+)\.ts'/g, "from '$1.js'")

const emitDeclarations = (root: string, folder: string): void => {
  const emitted = mkdtempSync(join(tmpdir(), 'declarations-'))
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const options = [
      '--declaration',
      '--emitDeclarationOnly',
      '--noEmit',
      'false',
      '--rootDir',
      join(root, 'packages'),
      '--outDir',
      emitted,
    ]
    execFileSync(process.execPath, [compiler, '-p', join(root, SOURCES), ...options], { stdio: ['ignore', 'inherit', 'inherit'] })
    for (const name of EMITTED)
      writeFileSync(join(folder, `${name}.d.ts`), selfContained(readFileSync(join(emitted, 'sdk/src', `${name}.d.ts`), 'utf8')))
    copyFileSync(join(emitted, 'contract/src/constants.d.ts'), join(folder, 'values.d.ts'))
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
  writeFileSync(join(folder, 'client.d.ts'), HEAD)
  writeFileSync(join(folder, 'route.d.ts'), ROUTE)
  writeFileSync(join(folder, 'api.d.ts'), apiDeclarations())
  // The shapes of the API, such as `Feed`, are types of the package too.
  appendFileSync(join(folder, 'index.d.ts'), "export type * from './api.js'\n")
}

const bundle = async (root: string, folder: string): Promise<void> => {
  const { rolldown } = await import('rolldown')
  const built = await rolldown({
    input: { index: join(root, SOURCES, 'src/index.ts'), values: join(root, SOURCES, 'src/values.ts') },
    platform: 'neutral',
    plugins: [contractRoutes()],
    onLog: (level, log, print) => {
      refuseUnresolved(log)
      print(level, log)
    },
  })
  await built.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' })
  await built.close()
}

/** Writes the package `@lyceum/sdk` to `target`: plain JavaScript without dependencies, and its declarations. */
export const buildSdkPackage = async (root: string, target: string): Promise<void> => {
  rmSync(target, { recursive: true, force: true })
  const folder = join(target, 'dist')
  mkdirSync(folder, { recursive: true })
  await bundle(root, folder)
  emitDeclarations(root, folder)
  copyFileSync(join(root, SOURCES, 'README.md'), join(target, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  const { name, description } = readManifest(root, SOURCES)
  const entry = (file: string) => ({ types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` })
  const manifest = {
    name,
    description,
    ...commonFields(root, SOURCES),
    engines: { node: '>=20' },
    sideEffects: false,
    types: './dist/index.d.ts',
    exports: { '.': entry('index'), './values': entry('values'), './package.json': './package.json' },
    files: ['dist'],
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
