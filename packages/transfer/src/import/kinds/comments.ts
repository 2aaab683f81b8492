import type { ContentType } from '@lyceum/content'
import { COMMENT_BYTES } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { batchStatement, lockRow, statement, statementOne, updateRows, type Value } from '../../../../server/src/db/index.ts'
import type { Meta } from '../../../../server/src/modules/feeds/meta.ts'
import type { Item } from '../batches.ts'
import type { Decision, KindWriter, Settle } from '../import-kind.ts'
import type { Found } from '../lookups.ts'
import type { Run } from '../run.ts'
import type { Slice } from '../slice.ts'
import { attachmentsOf, validMeta } from './attachments.ts'
import { type Author, ERASED_AUTHOR, findAuthors, MISSING_AUTHOR } from './authors.ts'
import { attachFiles, claimFiles, type FileUse, withOwnFiles } from './files.ts'
import { lessonFeeds } from './lesson-feeds.ts'
import { HOLD_COLUMNS, holdRow, isHeld } from './moderation-holds.ts'
import { flag, notAfter } from './values.ts'
import { setColumns } from './write-columns.ts'

type Comment = ArchiveRecord<'comments'>

export const COMMENT_COLUMNS = [
  'user_id',
  'parent_id',
  'message',
  'content_type',
  'meta',
  'status',
  'helpful_at',
  'helpful_by',
  'edited_at',
  'edited_by_moderator',
]

/** The feed of a comment. */
interface Place {
  readonly feed: number
  readonly space: number | null
  readonly isLesson: boolean
}

interface CommentDecision extends Decision<'comments'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly author: number
  readonly place: Place
  readonly parent: number | null
  readonly html: string
  readonly files: readonly FileUse[]
  readonly pinned: boolean
  readonly at: string
  readonly updated: string
}

interface Placed {
  readonly item: Item<'comments'>
  readonly author: Author
  readonly place: Place
}

const findPlaces = async (run: Run, items: readonly Item<'comments'>[], settle: Settle<'comments'>): Promise<Placed[]> => {
  const authorOf = await findAuthors(
    run,
    items.map(({ record }) => record.author),
  )
  const posts = await run.find(
    'posts',
    items.map(({ record }) => record.post),
  )
  const lessons = await lessonFeeds(
    run,
    items.map(({ record }) => record.lesson),
  )
  const placeOf = ({ post, lesson }: Comment): Place | undefined => {
    const found = post ? posts.get(post) : undefined
    if (found) return { feed: found.id, space: found.space_id, isLesson: false }
    const feed = lesson ? lessons.get(lesson) : undefined
    return feed === undefined ? undefined : { feed, space: null, isLesson: true }
  }
  return items.flatMap((item) => {
    const author = authorOf(item.record.author)
    const place = placeOf(item.record)
    if (author === null) settle(item, 'skipped', ERASED_AUTHOR)
    else if (place === undefined) settle(item, 'skipped', item.record.lesson ? 'its lesson was not imported' : 'its post was not imported')
    else {
      if (author.isMissing) item.notes.push(MISSING_AUTHOR)
      return [{ item, author, place }]
    }
    return []
  })
}

interface Threaded extends Placed {
  /** Id of the top-level comment. */
  readonly parent: number | null
  /** Username of the parent's author, for a reply to a reply. */
  readonly answers: string | undefined
}

const usernames = batchStatement<{ id: number; username: string }>(
  { id: 'bigint' },
  (rows) => `select u.id, u.username from ${rows} d cross join users u where u.id = d.id and u.status <> 'deleted'`,
)

/**
 * Assigns replies to top-level comments. A reply to a reply mentions the parent's author. A comment precedes its
 * replies; a reply whose parent is missing becomes a top-level comment.
 */
const thread = async (run: Run, placed: readonly Placed[], ids: ReadonlyMap<Placed, number>): Promise<Threaded[]> => {
  const found: Map<string, Found['comments']> = await run.find(
    'comments',
    placed.map(({ item }) => item.record.parent),
  )
  const threaded: Threaded[] = []
  const answered = new Map<Placed, number>()
  for (const one of placed) {
    const { item, author, place } = one
    const { record } = item
    const above = record.parent ? found.get(record.parent) : undefined
    const isOfPost = above?.post_id === place.feed && above.id !== ids.get(one)
    if (record.parent && !isOfPost)
      item.notes.push('it was imported as a top-level comment: its parent is missing or belongs to another post')
    const parent = above && isOfPost ? (above.parent_id ?? above.id) : null
    if (above && isOfPost && above.parent_id !== null && above.user_id !== author.id) answered.set(one, above.user_id)
    const id = ids.get(one) as number
    const own = { id, user_id: author.id, post_id: place.feed, parent_id: parent, status: record.status, space_id: place.space }
    found.set(record.id, own)
    run.memory.put('comments', record.id, own)
    threaded.push({ ...one, parent, answers: undefined })
  }
  const names = new Map((await usernames(run.services.database.read, [...new Set(answered.values())])).map((row) => [row.id, row.username]))
  return threaded.map((one, i) => ({ ...one, answers: names.get(answered.get(placed[i] as Placed) ?? 0) }))
}

const contentTypeOf = ({ format, content_type = 'text' }: Comment): ContentType => (format === 'html' ? 'markdown' : content_type)

export const comments: KindWriter<'comments', CommentDecision> = {
  kind: 'comments',
  guarded: { table: 'comments', columns: COMMENT_COLUMNS },
  decide: async (run, items, settle) => {
    const placed = await findPlaces(run, items, settle)
    const fresh = await run.ids.take('comments', placed.filter(({ item }) => item.known === undefined).length)
    const ids = new Map(placed.map((one) => [one, one.item.known?.local_id ?? (fresh.shift() as number)]))
    const threaded = await thread(run, placed, ids)
    const media = await run.find(
      'media',
      threaded.flatMap(({ item }) => item.record.media ?? []),
    )
    const people = await run.find(
      'people',
      threaded.map(({ item }) => item.record.helpful_by),
    )
    const attached = threaded.map(({ item: { record, notes } }) => attachmentsOf(run, record, media, notes))
    const texts = await run.texts(
      threaded.map(({ item: { record }, answers }, i) => ({
        text: record.message,
        isHtml: record.format === 'html',
        contentType: contentTypeOf(record),
        most: COMMENT_BYTES,
        answers,
        append: attached[i]?.append,
        meta: attached[i]?.meta,
      })),
    )
    const claimed = await claimFiles(
      run,
      'comment',
      threaded.map(({ item: { record, known } }, i) => ({
        ...{ kind: 'comments' as const, id: record.id, holder: known?.local_id ?? undefined },
        keys: [...(attached[i]?.keys ?? []), ...(texts[i]?.files ?? [])],
      })),
    )
    return threaded.flatMap((one, i): CommentDecision[] => {
      const { item, author, place, parent } = one
      const { record, notes } = item
      const text = texts[i]
      const id = ids.get(placed[i] as Placed) as number
      if (!text) {
        settle(item, 'failed', 'its text takes too long to render')
        return []
      }
      notes.push(...text.notes)
      const files = claimed[i] as FileUse[]
      const meta = JSON.parse(withOwnFiles(JSON.stringify(validMeta(text.meta, notes)), files)) as Meta
      if (text.message.trim() === '' && Object.keys(meta).length === 0) {
        settle(item, 'skipped', 'it is empty')
        return []
      }
      const at = notAfter(run.now, record.created_at)
      const helpful = record.helpful_at ? notAfter(run.now, record.helpful_at) : null
      return [
        {
          item,
          id,
          guarded: [
            ...[author.id, parent, withOwnFiles(text.message, files), contentTypeOf(record), JSON.stringify(meta), record.status],
            ...[helpful, helpful ? (people.get(record.helpful_by ?? '')?.id ?? null) : null, record.edited_at ?? null],
            flag(record.edited_by_moderator),
          ],
          unresolved: text.unresolved,
          author: author.id,
          place,
          parent,
          html: withOwnFiles(text.html, files),
          files,
          pinned: record.is_sticky === true && parent === null && record.status === 'published',
          at,
          updated: notAfter(run.now, record.updated_at ?? record.edited_at ?? at),
        },
      ]
    })
  },
  insert: async (_run, slice, decided) => {
    const pinned = await pinnedAmong(slice, decided)
    await slice.add(
      'comments',
      ['id', 'post_id', ...COMMENT_COLUMNS, 'message_rendered', 'is_sticky', 'created_at', 'updated_at'],
      decided.map((one) => [one.id, one.place.feed, ...one.guarded, one.html, flag(pinned.has(one)), one.at, one.updated]),
    )
    await insertHolds(slice, decided)
    await attachFiles(slice, 'comment', decided)
    const published = decided.filter(({ item }) => item.record.status === 'published')
    await countComments(slice, published)
    for (const one of published) announce(slice, one)
    for (const { id, item } of decided) slice.redirect('comments', id, item.record.urls)
  },
  update: async (_run, slice, decided) => {
    for (const one of decided) await updateComment(slice, one)
    await insertHolds(slice, decided)
    await attachFiles(slice, 'comment', decided)
  },
}

const insertHolds = ({ add }: Slice, decided: readonly CommentDecision[]) =>
  add(
    'moderation_holds',
    HOLD_COLUMNS,
    decided.flatMap(({ id, place, item: { record }, updated }) =>
      isHeld(record.status) ? [holdRow(place.feed, id, record.hold, updated)] : [],
    ),
  )

const pinnedIn = batchStatement<{ feed: number }>(
  { feed: 'bigint' },
  (rows) => `select d.feed from ${rows} d cross join comments c where c.post_id = d.feed and c.is_sticky = 1`,
)

/** The comments to pin: the first of each post, unless the post already has a pinned comment. */
const pinnedAmong = async ({ db }: Slice, decided: readonly CommentDecision[]): Promise<Set<CommentDecision>> => {
  const wanted = decided.filter(({ pinned }) => pinned)
  const taken = new Set((await pinnedIn(db, [...new Set(wanted.map(({ place }) => place.feed))])).map(({ feed }) => feed))
  return new Set(
    wanted.filter(({ place }) => {
      if (taken.has(place.feed)) return false
      taken.add(place.feed)
      return true
    }),
  )
}

const countComments = ({ db }: Pick<Slice, 'db'>, published: readonly CommentDecision[]) => {
  const feeds = new Map<number, { n: number; last: string }>()
  for (const { place, at } of published) {
    const sum = feeds.get(place.feed)
    feeds.set(place.feed, { n: (sum?.n ?? 0) + 1, last: sum && sum.last > at ? sum.last : at })
  }
  return updateRows(
    db,
    'feeds',
    { id: 'bigint', n: 'bigint', last: 'text' },
    'comments_count = comments_count + d.n, active_at = case when active_at < d.last then d.last else active_at end',
    'feeds.id = d.id',
    [...feeds].sort(([a], [b]) => a - b).map(([feed, { n, last }]) => [feed, n, last]),
  )
}

const announce = ({ activities, earned }: Slice, { id, author: user, place: { feed, space }, at, item }: CommentDecision) => {
  activities.push({ user, action: 'comment_added', on: ['comment', id], space, feed, comment: id, at })
  earned.push({ user, kind: 'comment_made', dedupKey: `comment_made:comment:${id}`, space, feed, comment: id, at })
  const helpful = item.record.helpful_at
  if (helpful && item.record.helpful_by !== item.record.author)
    earned.push({ user, kind: 'helpful_vote', dedupKey: `helpful_vote:comment:${id}`, space, feed, comment: id, at: helpful })
}

const beforeOf = statementOne<{ status: string; is_sticky: 0 | 1 }>('select status, is_sticky from comments where id = $1')
const deleteHold = statement('delete from moderation_holds where comment_id = $1')

const updateComment = async (slice: Slice, one: CommentDecision): Promise<void> => {
  const { db, counters } = slice
  await lockRow(db, 'feeds', one.place.feed)
  const before = await beforeOf(db, [one.id])
  if (!before) return
  const isPublished = one.item.record.status === 'published'
  const pin = flag(before.is_sticky === 1 && isPublished && one.parent === null)
  await deleteHold(db, [one.id])
  await setColumns(db, 'comments', [...COMMENT_COLUMNS, 'message_rendered', 'is_sticky', 'updated_at'], one.id, [
    ...one.guarded,
    one.html,
    pin,
    one.updated,
  ])
  const wasPublished = before.status === 'published'
  if (isPublished && !wasPublished) {
    await countComments(slice, [one])
    announce(slice, one)
  } else if (wasPublished && !isPublished) counters.add('feeds.comments_count', one.place.feed, -1)
}
