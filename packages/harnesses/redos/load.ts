import { resolve } from 'node:path'

/*
 * Loads the named modules, starts a server on the folder, and prints the regular expressions that our own code has built. Runs in a
 * separate process because it replaces RegExp.
 */

const [dataDir = '', ...modules] = process.argv.slice(2)
const found = new Map<string, { source: string; flags: string; where: string }>()
const OURS = /packages\/(?:server|content|mail|contract|sdk)\/src\/[^:)]+:\d+/

const note = (expression: RegExp) => {
  const line = new Error().stack?.split('\n')[3] ?? ''
  const where = OURS.exec(line)?.[0]
  if (where) found.set(`${where} ${expression.source}`, { source: expression.source, flags: expression.flags, where })
  return expression
}

globalThis.RegExp = new Proxy(RegExp, {
  construct: (target, [source, flags]) => note(new target(source, flags)),
  apply: (target, _self, [source, flags]) => note(target(source, flags)),
})

for (const module of modules) await import(resolve(module))
const { createApp } = await import('../../server/src/app.ts')
const { readConfig } = await import('../../server/src/config.ts')
const { migrate } = await import('../../server/src/db/index.ts')
const app = await createApp({ config: readConfig({ LYCEUM_PORT: '0', LYCEUM_DATA_DIR: dataDir, LYCEUM_LOG_LEVEL: 'fatal' }) })
await migrate(app.services.database, '2026-01-01 00:00:00')
await app.listen()
await app.close()
process.stdout.write(JSON.stringify([...found.values()]), () => process.exit())
