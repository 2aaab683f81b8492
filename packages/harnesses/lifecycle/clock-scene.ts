import { MAX_EXPORTS_PER_DAY } from '@lyceum/contract'
import { outbox } from '#test/outbox.ts'
import { type Browser, PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { runChecks } from '../../server/src/cli/doctor/run-checks.ts'
import { nowOf, shift } from '../../server/src/core/clock.ts'
import { leaseJobs, runText } from '../../server/src/db/index.ts'

/** Maximum notification mails per member and hour. */
const MAILS = 10

/** What was created before, during and after the clock error. */
export interface Scene {
  readonly world: World
  readonly boss: Member
  readonly ana: Member
  readonly ben: Member
  readonly dora: Member
  readonly browser: Browser
  /** Every feed visible to all members, in creation order. */
  readonly feeds: number[]
  /** Scheduled feeds with their publish times. */
  readonly planned: { readonly id: number; readonly at: string }[]
}

export const nowIn = ({ world }: Pick<Scene, 'world'>) => nowOf(world.clock)

export const post = async ({ ana, feeds }: Scene, message: string, who = ana): Promise<number> => {
  const { data } = await who.api.feeds.create({ message })
  feeds.push(data.id)
  return data.id
}

export const plan = async (scene: Scene, seconds: number): Promise<void> => {
  const at = shift(nowIn(scene), seconds)
  const { body } = await scene.ana.raw('POST', '/feeds', { message: `Planned for ${at}`, status: 'scheduled', scheduled_at: at })
  scene.planned.push({ id: body.data.id, at })
}

export const setScene = async (): Promise<Scene> => {
  const world = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
  const boss = await world.member({ username: 'boss', role: 'admin' })
  const [ana, ben] = [await world.member({ username: 'ana' }), await world.member({ username: 'ben' })]
  const dora = await world.member({ username: 'dora' })
  await register(world, { username: 'carla' })
  const browser = await signIn(world, 'carla')
  await ana.api.notifications.savePreferences({ username: 'me', digest_frequency: 'daily' })
  await world.runPendingJobs()
  return { world, boss, ana, ben, dora, browser, feeds: [], planned: [] }
}

/** Moves the clock and runs all background work. */
export const move = async ({ world }: Scene, seconds: number): Promise<void> => {
  world.clock.advance(seconds)
  await turn(world)
}

export const turn = async (world: World): Promise<void> => {
  await world.app.maintenance.run()
  await world.app.presence.flush()
  await world.app.digests.run()
  await world.runPendingJobs()
  // A leased job is not retried for two minutes.
  world.clock.advance(130)
  await world.app.digests.run()
  await world.runPendingJobs()
}

/** Each matches a header of one kind of mail. */
export const DIGEST = /unsubscribe\/\d+\.digest\./
const COMMENT = /unsubscribe\/\d+\.new_comment\./
const RESET = /^Subject: Reset your password/m

export const mailsTo = (world: World, { email }: Pick<Member, 'email'>, kind: RegExp): number =>
  outbox(world).filter(({ to, source }) => to.includes(email) && kind.test(source)).length

/** Exhausts the rate limits for passwords, links, archives and mails. */
export const useUp = async (scene: Scene): Promise<void> => {
  const { world, ben } = scene
  for (let i = 0; i < 12; i++) await world.request('POST', '/auth/login', { login: 'carla', password: 'wrong-wrong-wrong' })
  for (let i = 0; i < 3; i++) {
    await world.request('POST', '/auth/forgot-password', { login: 'ben' })
    await world.runPendingJobs()
  }
  for (let i = 0; i < MAX_EXPORTS_PER_DAY; i++) {
    await ben.raw('POST', '/account/export')
    await world.runPendingJobs()
  }
  for (let i = 0; i < MAILS + 1; i++) {
    const feed = await post(scene, `About ${i} at ${nowIn(scene)}`)
    await ben.api.comments.create({ feed_id: feed, comment: 'Indeed' })
  }
  await world.runPendingJobs()
  world.clock.advance(121)
  await world.runPendingJobs()
}

/** Repeats what `useUp` exhausted and returns what is still refused. Moves the clock by minutes. */
export const stillRefused = async (scene: Scene): Promise<string[]> => {
  const { world, ana, ben } = scene
  const refused: string[] = []
  const signedIn = await world.request('POST', '/auth/login', { login: 'carla', password: PASSWORD })
  if (signedIn.status !== 200) refused.push(`signing in: ${signedIn.status}`)
  const links = mailsTo(world, ben, RESET)
  await world.request('POST', '/auth/forgot-password', { login: 'ben' })
  await world.runPendingJobs()
  if (mailsTo(world, ben, RESET) !== links + 1) refused.push('a link for a new password')
  const archive = await ben.raw('POST', '/account/export')
  if (archive.status >= 300) refused.push(`an archive: ${archive.status} ${archive.body.code}`)
  await world.runPendingJobs()
  const mails = mailsTo(world, ana, COMMENT)
  await ben.api.comments.create({ feed_id: await post(scene, `Once more at ${nowIn(scene)}`), comment: 'Indeed' })
  await world.runPendingJobs()
  world.clock.advance(121)
  await world.runPendingJobs()
  if (mailsTo(world, ana, COMMENT) !== mails + 1) refused.push('a mail about a comment')
  return refused
}

/** Leases a delivery and crashes, so that its result is never recorded. */
export const leaseAndDie = async ({ world, ben }: Scene): Promise<void> => {
  const { database } = world.app.services
  await world.app.write(null, (ctx) => ctx.enqueue('accounts.mail_welcome', { user_id: ben.id }))
  const now = nowOf(world.clock)
  await database.write((db) => leaseJobs(db, { now, until: shift(now, 120), limit: 50 }))
}

/** Jobs that wait although no user chose their time. */
export const stuck = async (scene: Scene): Promise<string[]> => {
  const { database } = scene.world.app.services
  const rows = await runText<{ name: string; run_at: string }>(
    database.read,
    `select name, run_at from jobs where status = 'ready' and name not in ('feeds.publish', 'feeds.expire') and run_at > $1`,
    [shift(nowIn(scene), 600)],
  )
  return rows.map(({ name, run_at }) => `${name} until ${run_at}`)
}

const idsOf = (answer: { body: { feeds: { data: { id: number }[]; next_cursor: string | null } } }) =>
  answer.body.feeds.data.map(({ id }) => id)

/** The feeds found by paging through each list in each order. */
export const walks = async ({ ben }: Scene): Promise<ReadonlyMap<string, number[]>> => {
  const found = new Map<string, number[]>()
  for (const order of ['latest', 'oldest', 'new_activity']) {
    const query = `/feeds?disable_sticky=yes&per_page=12&order_by_type=${order}`
    const byPage: number[] = []
    for (let page = 1, more = true; more; page++) {
      const answer = await ben.raw('GET', `${query}&page=${page}`)
      byPage.push(...idsOf(answer))
      more = answer.body.feeds.has_more
    }
    found.set(`${order} by pages`, byPage)
    const byCursor: number[] = []
    for (let cursor: string | null = '', first = true; first || cursor; first = false) {
      const answer = await ben.raw('GET', `${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)
      byCursor.push(...idsOf(answer))
      cursor = answer.body.feeds.next_cursor as string | null
    }
    found.set(`${order} by cursor`, byCursor)
  }
  return found
}

/** Duplicates and gaps in the pages. */
export const gapsIn = (walked: ReadonlyMap<string, readonly number[]>, expected: readonly number[]): string[] =>
  [...walked].flatMap(([name, ids]) => {
    const seen = new Set(ids)
    const missing = expected.filter((id) => !seen.has(id))
    return [
      ...(seen.size < ids.length ? [`${name}: ${ids.length - seen.size} twice`] : []),
      ...(missing.length > 0 ? [`${name}: ${missing.length} of ${expected.length} missing`] : []),
    ]
  })

/** Scheduled feeds published too early, too late or more than once by the current clock; those in `may` may be early. */
export const misplanned = async (scene: Scene, may: ReadonlySet<number> = new Set()): Promise<string[]> => {
  const now = nowIn(scene)
  const faults: string[] = []
  for (const { id, at } of scene.planned) {
    const { data } = await scene.ana.api.feeds.byId({ feed_id: id })
    const [told] = await runText<{ n: number }>(
      scene.world.app.services.database.read,
      `select count(*) as n from activities where action_type = 'post_created' and object_id = $1`,
      [id],
    )
    const out = data.status === 'published'
    if (!out && at <= now) faults.push(`${at}: ${data.status} at ${now}`)
    if (out && at > now && !may.has(id)) faults.push(`${at}: out at ${now}`)
    if (Number(told?.n) !== (out ? 1 : 0)) faults.push(`${at}: told ${told?.n} times`)
  }
  return faults
}

/** Findings of the doctor, and failed analytics pages. */
export const unsound = async ({ world, boss, ana }: Scene): Promise<string[]> => {
  const today = nowOf(world.clock).slice(0, 10)
  const { violations } = await runChecks(world.app.services.database, { now: nowOf(world.clock), sample: 1000 })
  const [board, figures] = [
    await ana.raw('GET', '/leaderboard?include_current_user=true'),
    await boss.raw('GET', `/analytics/overview/activity?date_from=${today}&date_to=${today}`),
  ]
  return [
    ...violations.map(({ check }) => `the doctor: ${check}`),
    ...(board.status === 200 ? [] : [`the leaderboard: ${board.status}`]),
    ...(figures.status === 200 ? [] : [`the figures: ${figures.status}`]),
  ]
}
