import type { OpenapiDocument } from '@lyceum/contract/openapi'
import { expect, test } from 'vitest'
import { type Database, type Db, openDatabase } from '../../src/db/index.ts'
import { SOAK } from '../soak.ts'
import { dialect, freshEnv } from './environment.ts'
import { findings, neverWorked, summary } from './report.ts'
import { fuzz } from './run.ts'

const REQUESTS = 2000 * SOAK
/** Enough of them to meet what is rare. */
const LONG = SOAK >= 5
const SEED = 20_261_121
/** What takes a secret that is in no answer, another site, or a whole course: all its lessons in a row, or completed. */
const OUT_OF_REACH = ['auth.setup', 'auth.resetPassword', 'media.oembed', 'lessons.reorder', 'progress.certificate', 'certificates.check']
const PATIENCE_MS = 180_000

test(
  `${REQUESTS} generated requests find nothing; npm run fuzz sends more`,
  async () => {
    const report = await fuzz({ env: await freshEnv(), requests: REQUESTS, seed: SEED })
    console.log(summary(report, dialect))
    expect(findings(report)).toBe('')
    expect(report.requests).toBe(REQUESTS)
    // It means nothing unless it gets past the first checks of most operations, of nearly all where it is done often, as who may and who may not.
    const unreached = neverWorked(report).filter((id) => !OUT_OF_REACH.includes(id))
    expect(unreached.length, unreached.join(', ')).toBeLessThan(report.tallies.size / (LONG ? 8 : 2))
    for (const status of [200, 201, 400, 401, 403, 404, ...(LONG ? [405, 409, 415, 422] : [])])
      expect(report.statuses.get(status), `status ${status}`).toBeGreaterThan(0)
  },
  PATIENCE_MS,
)

/** A database that cannot read reactions. */
const withoutReactions = (database: Database): Database => {
  const broken = (db: Db): Db =>
    new Proxy(db, {
      get: (target, name) => {
        const member = Reflect.get(target, name, target) as unknown
        if (name !== 'executeQuery') return typeof member === 'function' ? member.bind(target) : member
        return (query: { sql?: string }, ...rest: never[]) => {
          if (query.sql?.includes('from reactions r')) throw new Error('no such table: reactions')
          return target.executeQuery(query as never, ...rest)
        }
      },
    })
  const read = broken(database.read)
  return { ...database, read, reading: (work) => work(read) }
}

test(
  'a server with a broken table is found out, with a request that shows it',
  async () => {
    const env = await freshEnv()
    const database = withoutReactions(openDatabase({ url: env.LYCEUM_DATABASE_URL, dataDir: env.LYCEUM_DATA_DIR, poolSize: 5 }))
    const { faults, complaints } = await fuzz({
      env,
      requests: 300,
      seed: SEED,
      database,
      only: (id) => /^(feeds|comments|reactions)\./.test(id),
    })
    const fault = faults.find(({ operation }) => operation === 'reactions.ofFeed')
    expect(fault).toMatchObject({ kind: 'status 500', repeats: true })
    expect(fault?.curl).toMatch(
      /^curl -i --path-as-is -X GET (-u "\$\w+"|-b .+)( -H 'content-type: application\/json' --data-raw '\{\}')? "\$server"'\/api\/v2\/feeds\/\d+\/reactions'$/,
    )
    expect(complaints.join()).toContain('no such table: reactions')
  },
  PATIENCE_MS,
)

test(
  'an answer that the document does not describe is found out',
  async () => {
    interface Parts {
      readonly components: { readonly schemas: Record<string, { readonly required: string[] }> }
      readonly paths: Record<string, Record<string, { readonly responses: Record<string, unknown> }>>
    }
    const lying = (document: OpenapiDocument): OpenapiDocument => {
      const copy = structuredClone(document) as unknown as Parts
      copy.components.schemas['Pagination']?.required.push('next_page')
      const feeds = Object.keys(copy.paths).filter((path) => path.startsWith('/feeds/{feed_id}'))
      for (const path of feeds) for (const { responses } of Object.values(copy.paths[path] ?? {})) delete responses['404']
      return copy as unknown as OpenapiDocument
    }
    const { faults } = await fuzz({ env: await freshEnv(), requests: 600, seed: SEED, change: lying })
    const kinds = faults.map(({ operation, kind }) => `${operation}: ${kind}`)
    expect(kinds).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\w+\.\w+: off its schema$/),
        expect.stringMatching(/^\w+\.\w+: undeclared 404 \w+$/),
      ]),
    )
  },
  PATIENCE_MS,
)
