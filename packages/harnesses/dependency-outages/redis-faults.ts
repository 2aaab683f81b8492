import type { Change } from '#test/detour.ts'
import type { FrailRedis } from './redis.ts'
import type { Stage } from './stage.ts'

/** A failure of Redis or of the connection to it. */
export interface Fault {
  readonly name: string
  /** Meanwhile each instance counts rate limits separately. */
  readonly apart: boolean
  /** The counters are lost. */
  readonly forgets?: true
  begin(): Promise<unknown>
  end(): Promise<unknown>
}

/** Drops the messages between instances; all other traffic passes. */
const swallowed: Change = (chunk) => Buffer.from(chunk.toString('latin1').replaceAll('lyceum_events', 'lyceum_nobody'), 'latin1')

/** Large enough for the loading state after a restart to be visible. */
const SAVED = 150
const LOADING = ['key-load-delay 10000', 'loading-process-events-interval-bytes 1024']

export const redisFaults = ({ servers, here, there }: Stage, redis: FrailRedis) => {
  const ways = servers.flatMap(({ redis: proxy }) => (proxy ? [proxy] : []))
  const nothing = async () => {}
  let loaded = Promise.resolve()
  const way = (name: string, set: 'held' | 'lost' | 'refused'): Fault => ({
    name,
    apart: true,
    begin: async () => ways.forEach((proxy) => void proxy.set(set)),
    end: async () => ways.forEach((proxy) => void proxy.set('open')),
  })
  const configured = (
    name: string,
    ill: (redis: FrailRedis) => Promise<unknown>,
    well: (redis: FrailRedis) => Promise<unknown>,
  ): Fault => ({
    name,
    apart: true,
    begin: () => ill(redis),
    end: () => well(redis),
  })
  return {
    stopped: {
      name: 'stopped',
      apart: true,
      begin: async () => redis.signal('SIGSTOP'),
      end: async () => redis.signal('SIGCONT'),
    },
    killed: { name: 'killed', apart: true, forgets: true, begin: () => redis.kill(), end: () => redis.start() },
    flushed: { name: 'flushed', apart: false, forgets: true, begin: () => redis.ask((client) => client.flushall()), end: nothing },
    restarted: {
      name: 'started again empty',
      apart: false,
      forgets: true,
      begin: async () => {
        await redis.kill()
        await redis.start()
      },
      end: nothing,
    },
    full: configured(
      'full',
      ({ ask }) => ask((client) => client.config('SET', 'maxmemory', '1')),
      ({ ask }) => ask((client) => client.config('SET', 'maxmemory', '0')),
    ),
    replica: configured(
      'a replica that takes no writes',
      ({ ask }) => ask((client) => client.replicaof('127.0.0.1', 1)),
      ({ ask }) => ask((client) => client.replicaof('NO', 'ONE')),
    ),
    loading: {
      name: 'loading what it had saved',
      apart: true,
      begin: async () => {
        await redis.ask(async (client) => {
          for (let i = 0; i < SAVED; i++) await client.set(`saved:${i}`, 'x'.repeat(1100))
          await client.save()
        })
        await redis.kill()
        loaded = redis.start(LOADING)
      },
      end: async () => {
        await loaded
        await redis.ask((client) => client.flushall())
      },
    },
    held: way('cut off for a while', 'held'),
    lost: way('cut off, connections lost', 'lost'),
    refused: way('refusing', 'refused'),
    slow: {
      name: 'a second late',
      apart: true,
      begin: async () => ways.forEach((proxy) => void proxy.delay(500)),
      end: async () => ways.forEach((proxy) => void proxy.delay(0)),
    },
    /** One instance reaches Redis, the other does not. */
    halfLost: {
      name: 'cut off from one instance',
      apart: true,
      begin: async () => there.redis?.set('lost'),
      end: async () => there.redis?.set('open'),
    },
    /** One instance loses the change messages entirely and can only poll the database. */
    deaf: {
      name: 'cut off from one instance, with the listener',
      apart: true,
      begin: async () => {
        there.redis?.set('lost')
        there.database[1]?.set('lost')
      },
      end: async () => {
        there.redis?.set('open')
        there.database[1]?.set('open')
      },
    },
    swallowing: {
      name: 'telling nobody that something happened, and healthy otherwise',
      apart: false,
      begin: async () => here.redis?.alter(swallowed),
      end: async () => here.redis?.alter(null),
    },
  } satisfies Record<string, Fault>
}
