import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCore } from '../packages/server/src/app.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { insertRows, statement } from '../packages/server/src/db/index.ts'
import { createLog } from '../packages/server/src/observability/log.ts'
import { generateApplicationPassword, hashApplicationPassword } from '../packages/server/src/secrets/application-password.ts'
import { lyceum, type Place, settingsOf } from './server.ts'

export interface Person {
  readonly id: number
  readonly username: string
  readonly password: string
}

/** Accounts of the benchmark. The first member is the busy one; the crowd are existing members. */
export interface People {
  readonly admin: Person
  readonly members: readonly Person[]
  readonly crowd: readonly Person[]
}

const MEMBERS = 8
const CROWD = 10_000

const create = async (place: Place, username: string, role: 'admin' | 'member'): Promise<Person> => {
  const who = ['--username', username, '--email', `${username}@bench.example`, '--password', 'a benchmark at noon', '--role', role]
  const { id } = JSON.parse(await lyceum(place, 'user', 'create', ...who, '--json')) as { id: number }
  const password = (await lyceum(place, 'user', 'app-password', username, '--name', 'benchmark')).trim()
  return { id, username, password }
}

const anybody = statement<{ id: number; username: string }>(`select id, username from users where status = 'active' order by id limit $1`)

/** Creates application passwords for many members; one command for each would take an hour. */
const letIn = async (place: Place): Promise<Person[]> => {
  const core = createCore({ config: readConfig(settingsOf(place)), log: createLog('silent') })
  try {
    const { database, keys } = core.services
    const people = (await anybody(database.read, [CROWD])).map((row) => ({ ...row, password: generateApplicationPassword() }))
    const rows = people.map(({ id, password }) => [
      id,
      'benchmark',
      hashApplicationPassword(keys.applicationPasswords, password),
      '2026-01-01 00:00:00',
    ])
    await database.write((db) => insertRows(db, 'application_passwords', ['user_id', 'name', 'hash', 'created_at'], rows))
    return people
  } finally {
    await core.close()
  }
}

/** Creates accounts for the benchmark in a filled community. */
export const invite = async (place: Place): Promise<People> => {
  const crowd = await letIn(place)
  const admin = await create(place, 'bench-admin', 'admin')
  const members: Person[] = []
  for (let i = 1; i <= MEMBERS; i++) members.push(await create(place, `bench-${i}`, 'member'))
  return { admin, members, crowd }
}

const RECORD = 'bench.json'
type Record = People & { readonly posts: number }

/** Accounts of an earlier run with this number of posts; undefined in an empty data directory. */
export const knownPeople = async ({ dataDir }: Place, posts: number): Promise<People | undefined> => {
  const text = await readFile(join(dataDir, RECORD), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const known = JSON.parse(text) as Record
  if (known.posts !== posts) throw new Error(`${dataDir} contains ${known.posts} posts, not ${posts}: remove it or use this number`)
  return known
}

export const remember = ({ dataDir }: Place, people: People, posts: number): Promise<void> =>
  writeFile(join(dataDir, RECORD), JSON.stringify({ posts, ...people }), { mode: 0o600 })

const discard = statement<object>(`delete from jobs where name = 'delivery.mail'`)

/** Discards mails about what the benchmark arranged. They are due two minutes later, so thousands would be sent during a measurement. */
export const discardMails = async (place: Place): Promise<void> => {
  const core = createCore({ config: readConfig(settingsOf(place)), log: createLog('silent') })
  try {
    await core.services.database.write((db) => discard(db, []))
  } finally {
    await core.close()
  }
}
