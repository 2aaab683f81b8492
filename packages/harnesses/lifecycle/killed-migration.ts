import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { becomeNext } from './next-version.ts'

becomeNext()

/** Runs a command of the next version and sends itself a signal before the n-th statement that changes the schema. */
const [at, signal, ...command] = process.argv.slice(2)
const CHANGES = /^\s*(create|alter|drop|do|set constraints|update users|insert into (migrations|installed_code))\b/i
let left = Number(at)

const count = (text: unknown) => {
  if (typeof text !== 'string' || !CHANGES.test(text) || /^create temp/.test(text)) return
  if (left === 0) process.kill(process.pid, signal)
  left -= 1
}

const { prepare } = Sqlite.prototype
Sqlite.prototype.prepare = function (this: Sqlite.Database, text: string) {
  count(text)
  return prepare.call(this, text)
} as typeof prepare

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [asked] = args
  count(typeof asked === 'object' ? (asked as { text?: unknown } | null)?.text : asked)
  return (query as (...given: unknown[]) => unknown).apply(this, args)
} as typeof query

process.argv.splice(2, process.argv.length, ...command)
await import('../../server/src/cli/main.ts')
