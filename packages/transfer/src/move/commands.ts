import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { dataLocationOf, requireCommunity, withDatabase } from '../../../server/src/cli/bootstrap.ts'
import { textTable } from '../../../server/src/cli/table.ts'
import { CommandError, configFor, printResult, type Terminal } from '../../../server/src/cli/terminal.ts'
import { databaseAddress } from '../../../server/src/config.ts'
import { nowOf, systemClock } from '../../../server/src/core/clock.ts'
import { type DataLocation, lockData, refreshStatistics } from '../../../server/src/db/index.ts'
import { copyDatabase } from './copy-database.ts'

/** Keeps a `postgres://` URL; makes a file path absolute. */
const targetOf = (address: string, dataDir: string): DataLocation => {
  if (/^postgres(ql)?:\/\//.test(address)) return { url: address, dataDir }
  try {
    databaseAddress(address)
  } catch (error) {
    throw new CommandError(`--to ${(error as Error).message.replace(', or empty', '')}`)
  }
  const url = resolve(address.replace(/^(sqlite|file):(\/\/)?/, ''))
  if (!existsSync(dirname(url))) throw new CommandError(`there is no directory ${dirname(url)} for the target database`)
  return { url, dataDir }
}

const withoutPassword = (url: string) => url.replace(/^(postgres(?:ql)?:\/\/[^:/@]*):[^@]*@/, '$1:***@')

const LINE_MS = 5_000

const reporter = (terminal: Terminal) => {
  let told = performance.now()
  return (table: string, rows: number) => {
    const now = performance.now()
    if (now - told < LINE_MS) return
    told = now
    terminal.err(`${table}: ${rows} rows copied\n`)
  }
}

const lockTarget = async (target: DataLocation) => {
  try {
    return await lockData(target, 'move')
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new CommandError(`the target database cannot be used: ${text}`)
  }
}

export const move = async (terminal: Terminal, address: string, json?: true): Promise<void> => {
  const config = configFor(terminal)
  const source = dataLocationOf(config)
  const target = targetOf(address, config.dataDir)
  await requireCommunity(config)
  const begun = performance.now()
  const holds = [await lockData(source, 'move')]
  try {
    holds.push(await lockTarget(target))
    const tables = await withDatabase(config, source, (from) =>
      withDatabase(config, target, async (to) => {
        const moved = await copyDatabase({ from, to, now: nowOf(systemClock), onRows: reporter(terminal) })
        await refreshStatistics(to)
        return moved
      }),
    )
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const seconds = Math.round((performance.now() - begun) / 100) / 10
    const place = withoutPassword(target.url)
    const filled = tables.filter((table) => table.rows > 0)
    const table = filled.map((moved) => [moved.name, String(moved.rows), moved.sha256.slice(0, 16)])
    const text =
      `${rows} rows are in ${place}, each table with the same hash as before, after ${seconds} s.\n` +
      'Start the server with that URL as LYCEUM_DATABASE_URL; media and secret are not moved.\n' +
      'The old database is unchanged: keep it until you have verified the new one.\n'
    printResult(terminal, json, { to: place, rows, seconds, tables }, textTable(['TABLE', 'ROWS', 'SHA-256'], table) + text)
  } finally {
    for (const hold of holds.toReversed()) await hold.release()
  }
}
