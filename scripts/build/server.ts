import type { Plugin, RolldownLog } from 'rolldown'

/** Not bundled, because they load files of their own packages. */
const LEFT_OUT = /^(better-sqlite3|sharp|pino|@scalar\/fastify-api-reference)$/
/** The output has the same depth as the sources, so that relative paths are still valid. */
const PARTS = 'parts/[name].js'

const OWN_FILE = /new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g

/** Entry points of worker threads are separate files. */
const threads: Plugin = {
  name: 'threads',
  transform(code, id) {
    if (!OWN_FILE.test(code)) return null
    return code.replaceAll(OWN_FILE, (_, path: string) => {
      const name = path.slice(2)
      this.emitFile({ type: 'chunk', id: `${path}.ts`, importer: id, name })
      return `new URL('./${name}.js', import.meta.url)`
    })
  },
}

const BUILTIN = /^import (?:([\w$]+)|\* as ([\w$]+)|(\{ (?!default as)[^}]+ \})) from "(node:[\w/]+)";$/gm

/**
 * An import of a module of Node reads all of its properties. Those of `node:http` include a WebSocket client, which takes longer to load than the rest
 * of Node's modules together.
 */
const builtins: Plugin = {
  name: 'builtins',
  renderChunk: (code) =>
    code.replaceAll(BUILTIN, (_, standard: string, all: string, some: string, name: string) => {
      const names = standard ?? all ?? some.replaceAll(' as ', ': ')
      return `const ${names} = globalThis.process.getBuiltinModule("${name}");`
    }),
}

/** Modules that Fastify loads for HTTPS and HTTP/2 servers, which Lyceum does not create. With TLS, loading them takes 20 ms. */
const UNUSED = new Set(['node:http2', 'node:https'])
const NOTHING = '\0nothing'
const unused: Plugin = {
  name: 'unused',
  resolveId: (id, importer) => (UNUSED.has(id) && /[\\/]fastify[\\/]lib[\\/]/.test(importer ?? '') ? NOTHING : null),
  load: (id) => (id === NOTHING ? 'module.exports = {}' : null),
}

/** An import that was not found would only fail when the built program reaches it. */
export const refuseUnresolved = (log: Pick<RolldownLog, 'code' | 'message'>): void => {
  if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
}

/** Bundles the server with its libraries. */
export const buildServer = async (main: string, folder: string, program: string): Promise<void> => {
  // A development dependency. Without it, the server runs from its sources.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: { program: main },
    platform: 'node',
    external: LEFT_OUT,
    plugins: [threads, builtins, unused],
    onLog: (level, log, print) => {
      refuseUnresolved(log)
      print(level, log)
    },
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: ({ name }) => (name === 'program' ? program : PARTS),
    chunkFileNames: PARTS,
    // V8 needs half the memory for files with only ASCII characters, and loads them faster.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
  })
  await bundle.close()
}
