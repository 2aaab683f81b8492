import { slugify } from '@lyceum/content'
import { type api, type BodyOf, MAX_LEVELS, MAX_TOTAL_POINTS, POINT_KINDS, type PointKind } from '@lyceum/contract'
import type { WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, lockName, statement, type Tables } from '../../db/index.ts'
import { job } from '../../jobs/index.ts'
import { audit } from '../audit/index.ts'

type Body = BodyOf<typeof api.leaderboardLevels.save>
type Input = Body['levels'][number]

export type LevelRow = Readonly<Tables['leaderboard_levels']>

export const listLevels = statement<LevelRow>('select * from leaderboard_levels order by position, id')

export const listLevelsWithCounts = statement<LevelRow & { members_count: number }>(
  `select l.*, (select count(*) from users u where u.status = 'active' and u.total_points >= l.min_points and u.total_points <= l.max_points)
   as members_count from leaderboard_levels l order by l.position, l.id`,
)
const config = statement<{ kind: PointKind; points: number }>('select kind, points from points_config')
const setPoints = statement('update points_config set points = $2 where kind = $1')
const remove = statement('delete from leaderboard_levels where id = $1')

export const pointsConfig = async (db: Db): Promise<Record<PointKind, number>> => {
  const known = new Map((await config(db)).map(({ kind, points }) => [kind, points]))
  return Object.fromEntries(POINT_KINDS.map((kind) => [kind, known.get(kind) ?? 0])) as Record<PointKind, number>
}

export const levelAt = (levels: readonly LevelRow[], points: number): LevelRow | undefined =>
  levels.find((level) => level.min_points <= points && points <= level.max_points)

const invalid = (field: string, problem: string) => new ApiError('invalid_data', { data: { errors: { [field]: problem } } })

const MAX_SLUG_LENGTH = 100

/** Makes the slug unique among the other levels. */
const freeSlug = (wanted: string, others: readonly LevelRow[]): string => {
  const base = slugify(wanted).slice(0, MAX_SLUG_LENGTH) || 'level'
  const taken = new Set(others.map((level) => level.slug))
  let slug = base
  for (let n = 2; taken.has(slug); n++) slug = `${base}-${n}`
  return slug
}

/** A changed text: null clears it. */
const changed = (wanted: string | null | undefined, before = ''): string => (wanted === undefined ? before : (wanted ?? ''))

/** The level to store; id 0 means new. @throws invalid_data */
const draftOf = (input: Input, before: LevelRow | undefined, others: readonly LevelRow[], at: string): LevelRow => {
  const title = (input.title ?? before?.title ?? '').replace(/\s+/gu, ' ').trim()
  if (title === '') throw invalid(`${at}.title`, 'must not be empty')
  const min_points = input.min_points ?? before?.min_points
  if (min_points === undefined) throw invalid(`${at}.min_points`, 'is required')
  const max_points = input.max_points === undefined ? (before?.max_points ?? MAX_TOTAL_POINTS) : (input.max_points ?? MAX_TOTAL_POINTS)
  if (max_points < min_points) throw invalid(`${at}.max_points`, 'must not be below min_points')
  return {
    id: before?.id ?? 0,
    title,
    slug: input.slug && input.slug !== before?.slug ? freeSlug(input.slug, others) : (before?.slug ?? freeSlug(title, others)),
    description: changed(input.description, before?.description),
    min_points,
    max_points,
    badge_icon: changed(input.badge_icon, before?.badge_icon),
    badge_color: changed(input.badge_color, before?.badge_color),
    position: input.serial ?? before?.position ?? Math.max(0, ...others.map((level) => level.position)) + 1,
    perks: input.perks === undefined ? (before?.perks ?? '[]') : JSON.stringify(input.perks ?? []),
  }
}

/** Applies a list of changes to the levels. @throws invalid_data */
const applyInputs = (existing: readonly LevelRow[], inputs: readonly Input[]): LevelRow[] => {
  let levels = [...existing]
  const named = new Set<number>()
  inputs.forEach((input, i) => {
    const at = `levels.${i}`
    const id = input.id ?? 0
    const before = levels.find((level) => id !== 0 && level.id === id)
    if (id !== 0 && (!before || named.has(id))) throw invalid(`${at}.id`, before ? 'is there twice' : 'is of no level')
    named.add(id)
    const others = levels.filter((level) => level !== before)
    if (input.delete) {
      if (!before) throw invalid(`${at}.id`, 'is required')
      levels = others
    } else
      levels = before
        ? levels.map((level) => (level === before ? draftOf(input, before, others, at) : level))
        : [...levels, draftOf(input, undefined, others, at)]
  })
  if (levels.length > MAX_LEVELS) throw invalid('levels', `must be at most ${MAX_LEVELS}`)
  const byRange = levels.toSorted((a, b) => a.min_points - b.min_points)
  byRange.forEach((level, i) => {
    const next = byRange[i + 1]
    if (next && next.min_points <= level.max_points) throw invalid('levels', `the ranges of ${level.title} and ${next.title} overlap`)
  })
  return levels
}

/** Slugs may move from one level to another, so changed levels release theirs first. */
const clearSlug = statement(`update leaderboard_levels set slug = ':' || id where id = $1`)

const store = async (db: Db, existing: readonly LevelRow[], levels: readonly LevelRow[]) => {
  const remaining = new Set(levels.map(({ id }) => id))
  for (const { id } of existing) if (!remaining.has(id)) await remove(db, [id])
  const drafts = levels.filter((level) => !existing.includes(level))
  for (const { id } of drafts) await clearSlug(db, [id])
  for (const { id, ...columns } of drafts) {
    if (id === 0) await db.insertInto('leaderboard_levels').values(columns).execute()
    else await db.updateTable('leaderboard_levels').set(columns).where('id', '=', id).execute()
  }
}

/** Saves levels and points under one lock, all or nothing. @throws invalid_data */
export const saveLevels = async (ctx: WriteRequest, { levels: inputs, points_config = {} }: Body): Promise<void> => {
  const { db } = ctx
  await lockName(db, 'leaderboard.levels')
  const existing = await listLevels(db)
  const levels = applyInputs(existing, inputs)
  await store(db, existing, levels)
  for (const kind of POINT_KINDS) {
    const points = points_config[kind]
    if (points !== undefined) await setPoints(db, [kind, points])
  }
  await ctx.enqueue('leaderboard.reach', { after: 0 })
  const details = { levels: levels.map(({ title, min_points, max_points }) => ({ title, min_points, max_points })), points_config }
  await audit(ctx, 'levels.saved', { object_type: 'leaderboard', object_id: null, details })
}

const BATCH_SIZE = 500
const people = statement<{ id: number }>(`select id from users where id > $1 order by id limit ${BATCH_SIZE}`)
const insertReached = statement(
  `insert into achievements (user_id, code, level_id, earned_at)
   select u.id, 'level:' || l.id, l.id, cast($3 as text) from users u join leaderboard_levels l on l.min_points > 0 and l.min_points <= u.total_points
   where u.id > $1 and u.id <= $2 and u.total_points > 0 on conflict (user_id, code) do nothing`,
)

/** Records who has reached a level that is new or was raised, in batches. */
const insertReachedBatch = async (ctx: WriteContext, { after }: { readonly after: number }): Promise<void> => {
  const ids = await people(ctx.db, [after])
  const last = ids.at(-1)?.id
  if (last === undefined) return
  await insertReached(ctx.db, [after, last, ctx.now])
  if (ids.length === BATCH_SIZE) await ctx.enqueue('leaderboard.reach', { after: last })
}
export const reachLevels = job<{ after: number }>('leaderboard.reach', insertReachedBatch)
