import type { Plugin } from 'rolldown'

/** They load files of their own packages, so they stay where they are. */
const LEFT_OUT = /^(better-sqlite3|sharp|pino|@scalar\/fastify-api-reference)$/
/** Files lie as deep as the sources do, so that what is found from there is found from here. */
const PARTS = 'parts/[name].js'

const OWN_FILE = /new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g

/** What a thread of its own is started with becomes a file as well. */
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

/** Puts the server with its libraries into few files of a folder. */
export const buildServer = async (main: string, folder: string, program: string): Promise<void> => {
  // Only who builds has it: without development's packages the server runs from its sources.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({ input: { program: main }, platform: 'node', external: LEFT_OUT, plugins: [threads] })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: ({ name }) => (name === 'program' ? program : PARTS),
    chunkFileNames: PARTS,
  })
  await bundle.close()
}
