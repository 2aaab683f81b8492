import pg from 'pg'
import { type Env, freshEnv, readyEnv } from '#test/command.ts'
import { byWayOf, type Detour, openDetour, postgresAt } from '#test/detour.ts'
import { createDatabase } from '#test/services/database.ts'
import { type Killable, startKillablePostgres } from '#test/services/postgres.ts'
import { type Core, createCore } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { makePeople, type Person } from '../kit/people.ts'
import { startVictim, type Victim } from '../kit/server-process.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FrailRedis, startFrailRedis } from './redis.ts'

export const onSqlite = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'

/** The database role of the servers; it has no rights beyond owning its database. */
const ROLE = 'community'

/** One instance, with its own proxies to its dependencies. */
export interface Server {
  readonly victim: Victim
  readonly base: string
  readonly admin: Caller
  /** To PostgreSQL: for the pool, the listener and the lock connections. */
  readonly database: readonly Detour[]
  readonly redis: Detour | null
}

export interface Stage {
  /** Connects to the database directly, bypassing the proxies. */
  readonly env: Env
  readonly servers: readonly Server[]
  /** The instance that makes changes and the instance that must observe them. The same instance if there is only one. */
  readonly here: Server
  readonly there: Server
  readonly people: readonly Person[]
  readonly core: Core
  readonly redis: FrailRedis | null
  readonly cluster: Killable | null
  /** Runs statements as superuser on the community's database. */
  sql(...statements: string[]): Promise<pg.QueryResult>
  stop(): Promise<void>
}

const startServer = async (env: Env, admin: Person, url: URL | null, redis: FrailRedis | null): Promise<Server> => {
  const database = url ? [await openDetour(postgresAt(url)), await openDetour(postgresAt(url))] : []
  const [pool, direct] = database
  const toRedis = redis && (await openDetour({ path: redis.path }))
  const victim = await startVictim({
    ...env,
    LYCEUM_LOG_LEVEL: 'warn',
    LYCEUM_TRUST_PROXY: '127.0.0.1',
    ...(url && pool && direct && { LYCEUM_DATABASE_URL: byWayOf(pool, url), LYCEUM_DATABASE_DIRECT_URL: byWayOf(direct, url) }),
    ...(toRedis && { LYCEUM_REDIS_URL: `redis://127.0.0.1:${toRedis.port}` }),
  })
  const headers = { authorization: admin.authorization }
  return { victim, base: victim.base, admin: callerOf(victim.base, headers), database, redis: toRedis }
}

/** A community with its own services: two instances on PostgreSQL, one on SQLite. The first person is the administrator. */
export const setStage = async (people: number, withRedis: boolean): Promise<Stage> => {
  const cluster = onSqlite ? null : await startKillablePostgres()
  const redis = withRedis ? await startFrailRedis() : null
  const url = cluster && new URL(await createDatabase(cluster.url))
  const asSuperuser = url?.toString() ?? ''
  const sql = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: asSuperuser })
    client.on('error', () => {})
    await client.connect()
    try {
      let result = await client.query('select 1')
      for (const statement of statements) result = await client.query(statement)
      return result
    } finally {
      await client.end()
    }
  }
  if (url) {
    await sql(`create role ${ROLE} login`, `alter database ${url.pathname.slice(1)} owner to ${ROLE}`)
    url.username = ROLE
  }
  const env = url ? { ...(await freshEnv('sqlite')), LYCEUM_DATABASE_URL: url.toString() } : await readyEnv()
  const made = await makePeople(env, people)
  const core = createCore({ config: readConfig(env), passwordCost: 4 })
  const servers = await Promise.all((url ? [1, 2] : [1]).map(() => startServer(env, made[0] as Person, url, redis)))
  return {
    env,
    servers,
    here: servers[0] as Server,
    there: servers.at(-1) as Server,
    people: made,
    core,
    redis,
    cluster,
    sql,
    stop: async () => {
      for (const { victim, admin } of servers) {
        admin.close()
        await victim.end('SIGKILL')
      }
      await core.close()
      for (const { database, redis: toRedis } of servers)
        await Promise.all([...database, ...(toRedis ? [toRedis] : [])].map((one) => one.close()))
      await Promise.all([redis?.stop(), cluster?.stop()])
    },
  }
}
