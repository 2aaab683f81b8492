import type { OpenapiDocument } from '@lyceum/contract/openapi'
import { expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { type Database, type Db, openDatabase } from '../../server/src/db/index.ts'
import { dialect, freshEnv, removeEnv } from './environment.ts'
import { findings, neverWorked, summary, together } from './report.ts'
import { fuzz, type Report } from './run.ts'

const REQUESTS = SOAK > 1 ? 2000 * SOAK : 800
/** Requests per community. The next part starts with an empty database, so its requests are no slower. */
const AT_ONE = 20_000
const SEED = 20_261_121
/** Operations that need a secret no response contains, another site, or a completed course. */
const OUT_OF_REACH = [
  'auth.setup',
  'auth.resetPassword',
  'auth.verifyEmail',
  'media.oembed',
  'gif.search',
  'registrations.approve',
  'registrations.reject',
  'lessons.reorder',
  'quizzes.submit',
  'progress.certificate',
  'certificates.check',
]
/** Soak runs send more than a million requests and take a day. */
const TIMEOUT_MS = 180_000 + REQUESTS * 80

/** How many operations may never have succeeded: most in a short run, only the unreachable ones after many requests. */
const mostUnreached = (operations: number) => {
  const [often, seldom] = [500_000, 1200]
  const share = Math.log(often / Math.min(often, Math.max(seldom, REQUESTS))) / Math.log(often / seldom)
  return Math.ceil(share * 0.6 * operations)
}

test(
  `${REQUESTS} generated requests find nothing; npm run fuzz sends more`,
  async () => {
    const reports: Report[] = []
    for (let from = 0; from < REQUESTS && reports.every((one) => findings(one) === ''); from += AT_ONE) {
      const env = await freshEnv()
      reports.push(await fuzz({ env, requests: Math.min(AT_ONE, REQUESTS - from), seed: SEED + reports.length }))
      removeEnv(env)
    }
    const total = together(reports)
    console.log(summary(total, dialect))
    const kinds = (wanted: RegExp) => total.faults.filter(({ kind }) => wanted.test(kind)).length
    report({
      requests: total.requests,
      'a second': Math.round(total.requests / total.seconds),
      '5xx': [...total.statuses].reduce((sum, [status, times]) => sum + (status >= 500 && status !== 503 ? times : 0), 0),
      'off its schema': kinds(/schema|undeclared|shape|JSON/),
      'over a second': kinds(/^slow$/),
      'held up': total.heldUp,
      'slowest ms': Math.round(total.slowest),
      'never answered with success': neverWorked(total).length,
      seed: String(SEED),
    })
    // The seed of a part is the first seed plus its index.
    expect(findings(total), `part ${reports.length - 1}`).toBe('')
    expect(total.requests).toBe(REQUESTS)
    // The run is meaningful only if requests pass the first checks of most operations, both as permitted and as forbidden callers.
    const unreached = neverWorked(total).filter((id) => !OUT_OF_REACH.includes(id))
    expect(unreached.length, unreached.join(', ')).toBeLessThanOrEqual(mostUnreached(total.tallies.size))
    for (const status of [200, 201, 400, 401, 403, 404, ...(SOAK >= 5 ? [405, 409, 415, 422] : [])])
      expect(total.statuses.get(status), `status ${status}`).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

/** A database that fails to read reactions. */
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
  return { ...database, read, readWithReplica: (work) => work(read) }
}

/** Every fault that is found costs the requests that reduce it to a short one. */
const isAboutFeeds = (id: string) => /^(feeds|comments|reactions)\./.test(id)

/** The detection logic does not depend on the database. */
const control = test.runIf(SOAK > 1 || process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')

control(
  'control: a server with a broken table is detected, with a request that shows it',
  async () => {
    const env = await freshEnv()
    const database = withoutReactions(openDatabase({ url: env.LYCEUM_DATABASE_URL, dataDir: env.LYCEUM_DATA_DIR, poolSize: 5 }))
    const { faults, complaints } = await fuzz({
      env,
      requests: 300,
      seed: SEED,
      database,
      only: isAboutFeeds,
    })
    const fault = faults.find(({ operation }) => operation === 'reactions.ofFeed')
    expect(fault).toMatchObject({ kind: 'status 500', repeats: true })
    expect(fault?.curl).toMatch(
      /^curl -i --path-as-is -X GET (-u "\$\w+"|-b .+)( -H 'content-type: application\/json' --data-raw '\{\}')? "\$server"'\/api\/v2\/feeds\/\d+\/reactions'$/,
    )
    expect(complaints.join()).toContain('no such table: reactions')
  },
  TIMEOUT_MS,
)

control(
  'control: a response outside the API description is detected',
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
    const { faults } = await fuzz({ env: await freshEnv(), requests: 300, seed: SEED, change: lying, only: isAboutFeeds })
    const kinds = faults.map(({ operation, kind }) => `${operation}: ${kind}`)
    expect(kinds).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\w+\.\w+: off its schema$/),
        expect.stringMatching(/^\w+\.\w+: undeclared 404 \w+$/),
      ]),
    )
  },
  TIMEOUT_MS,
)
