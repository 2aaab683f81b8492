import type { Actor, ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, exists, type MediaRow, type PageWindow, type Placeholder, selectPage } from '../../db/index.ts'
import { commentAbilities, loadComment } from '../comments/index.ts'
import { courseAbilities, courseTables, lessonCourse, lessonFor, loadCourse, managedCourses, visibleCourses } from '../courses/index.ts'
import { feedAbilities, isUnlocked, loadFeedAccess, reachableFeeds, visibleFeeds } from '../feeds/index.ts'
import { loadSpace, spaceAbilities, visibleSpaces } from '../spaces/index.ts'
import type { ListedMedia } from './view.ts'

interface Abilities {
  readonly view: boolean
  readonly remove: boolean
}

const NOTHING: Abilities = { view: false, remove: false }

type Source = MediaRow['object_source']
type MediaContext = Pick<ReadRequest, 'db' | 'actor' | 'now'>

const lessonFiles = async (ctx: MediaContext, id: number): Promise<Abilities> => {
  const found = await lessonCourse(ctx.db, [id])
  if (!found) return NOTHING
  try {
    const { course } = await lessonFor(ctx, found.course_id, id, 'read')
    return { view: true, remove: courseAbilities(ctx.actor, course).manage }
  } catch (error) {
    if (error instanceof ApiError) return NOTHING
    throw error
  }
}

/** Abilities by the kind of object that the file is attached to; `id` is that object's id. */
const ABILITIES_BY_SOURCE: Readonly<Record<Source, (ctx: MediaContext, id: number) => Promise<Abilities>>> = {
  feed: async ({ db, actor }, id) => {
    const feed = await loadFeedAccess(db, id, actor.id)
    if (!feed) return NOTHING
    const { view, moderate } = feedAbilities(actor, feed)
    return { view, remove: moderate }
  },
  comment: async (ctx, id) => {
    const { db, actor } = ctx
    const comment = await loadComment(db, id, actor.id)
    const feed = comment && (await loadFeedAccess(db, comment.post_id, actor.id))
    if (!comment || !feed) return NOTHING
    const { view, pin: moderates } = commentAbilities(actor, comment, feed)
    return { view: view && (await isUnlocked(ctx, feed)), remove: moderates }
  },
  profile: async ({ actor }) => ({ view: true, remove: actor.role === 'admin' }),
  course: async ({ db, actor }, id) => {
    const course = await loadCourse(db, id, actor.id)
    if (!course) return NOTHING
    const { view, manage } = courseAbilities(actor, course)
    return { view, remove: manage }
  },
  lesson: lessonFiles,
  space: async ({ db, actor }, id) => {
    const space = await loadSpace(db, id, actor.id)
    if (!space) return NOTHING
    const { view, manage } = spaceAbilities(actor, space)
    return { view, remove: manage }
  },
}

/**
 * What the caller (null: anonymous) may do with a file. An unattached file is visible to its uploader only; an attached one inherits the
 * access of its object. Profile pictures are public: they appear in mail and on sign-in pages.
 */
export const mediaAbilities = async (
  { db, actor, now }: Pick<MediaContext, 'db' | 'now'> & { readonly actor: Actor | null },
  media: MediaRow,
): Promise<Abilities> => {
  const { status, object_source, object_id, user_id } = media
  if (status === 'deleted') return NOTHING
  if (status === 'active' && object_source === 'profile' && !actor) return { view: true, remove: false }
  if (!actor) return NOTHING
  const own = actor.id === user_id
  if (status === 'uploaded') return { view: own, remove: own }
  if (object_id === null) return NOTHING
  const { view, remove } = await ABILITIES_BY_SOURCE[object_source]({ db, actor, now }, object_id)
  return { view, remove: view && (own || remove) }
}

interface MediaFilter {
  readonly userId: number
  /** Undefined: all types. */
  readonly types?: readonly string[] | undefined
  readonly source?: Source | undefined
}

/** SQL over `media x`: a member's files that the caller may see, equivalent to `mediaAbilities`. */
const whereVisible = (actor: Actor, { userId, types, source }: MediaFilter, p: Placeholder): string => {
  const own = actor.id === userId
  const me = () => p(actor.id)
  const feedSeen = () =>
    own ? `(${visibleFeeds(actor, p)} or (f.user_id = ${me()} and ${reachableFeeds(actor, p)}))` : visibleFeeds(actor, p)
  const seen: Record<Source, () => string> = {
    feed: () => exists(`select 1 from feeds f where f.id = x.object_id and ${feedSeen()}`),
    comment: () =>
      exists(`select 1 from comments c join feeds f on f.id = c.post_id
        where c.id = x.object_id and (c.status = 'published' or c.user_id = ${me()}) and ${feedSeen()}`),
    profile: () => '1 = 1',
    course: () => exists(`select 1 from ${courseTables(me())} where c.id = x.object_id and ${visibleCourses(actor, p)}`),
    // The lock of a lesson is too complex for a list query, so its files are listed for course managers only.
    lesson: () =>
      exists(`select 1 from lessons l join courses c on c.id = l.course_id
        where l.id = x.object_id and ${managedCourses(actor, p)}`),
    space: () =>
      exists(`select 1 from spaces s left join space_members m on m.space_id = s.id and m.user_id = ${me()}
        where s.id = x.object_id and ${visibleSpaces(actor, p)}`),
  }
  const sources = Object.entries(seen).filter(([name]) => source === undefined || name === source)
  const active = `x.status = 'active' and (${sources.map(([name, where]) => `(x.object_source = '${name}' and ${where()})`).join(' or ')})`
  // PostgreSQL rejects unused parameters, so it is added only where it is needed.
  const loose = () => `x.status = 'uploaded'${source ? ` and x.object_source = ${p(source)}` : ''}`
  const typed = types === undefined ? '' : ` and x.file_type in (${types.map(p).join(', ')})`
  return `x.user_id = ${p(userId)}${typed} and (${active}${own ? ` or (${loose()})` : ''})`
}

export const listMedia = async (db: Db, actor: Actor, what: MediaFilter, page: PageWindow) => {
  if (what.types?.length === 0) return { rows: [], total: 0 }
  const columns = 'x.id, x.key, x.file_name, x.file_type, x.thumbnail_path, x.created_at'
  const where = (p: Placeholder) => whereVisible(actor, what, p)
  return selectPage<ListedMedia>(db, { columns, tables: 'media x', where, order: 'x.created_at desc, x.id desc' }, page)
}
