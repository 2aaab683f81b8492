import { batchStatement, type Value } from '../../../../server/src/db/index.ts'
import type { Item } from '../batches.ts'
import type { Decision, KindWriter, Settle } from '../import-kind.ts'
import type { Run } from '../run.ts'
import { withoutDuplicates } from './pairs.ts'
import { notAfter } from './values.ts'
import { setColumns } from './write-columns.ts'

interface Target {
  readonly feed: number
  readonly comment: number | null
  readonly space: number | null
  readonly author: number
}

interface ReactionDecision extends Decision<'reactions'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly user: number
  readonly target: Target
}

const COLUMNS = ['type']

const present = batchStatement<{ user_id: number; feed_id: number; comment_id: number | null }>(
  { user_id: 'bigint', feed_id: 'bigint', comment_id: 'bigint' },
  (rows) => `select r.user_id, r.feed_id, r.comment_id from ${rows} d cross join reactions r
    where r.user_id = d.user_id and r.feed_id = d.feed_id and r.comment_id is not distinct from d.comment_id`,
)
const keyOf = (user: number, feed: number, comment: number | null): string => `${user} ${feed} ${comment ?? ''}`

const findTargets = async (run: Run, items: readonly Item<'reactions'>[], settle: Settle<'reactions'>) => {
  const people = await run.find(
    'people',
    items.map(({ record }) => record.person),
  )
  const posts = await run.find(
    'posts',
    items.map(({ record }) => record.post),
  )
  const comments = await run.find(
    'comments',
    items.map(({ record }) => record.comment),
  )
  const targetOf = ({ post, comment }: Item<'reactions'>['record']): Target | undefined => {
    const reply = comment ? comments.get(comment) : undefined
    if (reply) return { feed: reply.post_id, comment: reply.id, space: reply.space_id, author: reply.user_id }
    const feed = post && !comment ? posts.get(post) : undefined
    return feed && { feed: feed.id, comment: null, space: feed.space_id, author: feed.user_id }
  }
  return items.flatMap((item) => {
    const person = people.get(item.record.person)
    const target = targetOf(item.record)
    if (!person || person.status === 'deleted') settle(item, 'skipped', 'its member was not imported')
    else if (!target) settle(item, 'skipped', item.record.comment ? 'its comment was not imported' : 'its post was not imported')
    else return [{ item, user: person.id, target, key: keyOf(person.id, target.feed, target.comment) }]
    return []
  })
}

export const reactions: KindWriter<'reactions', ReactionDecision> = {
  kind: 'reactions',
  guarded: { table: 'reactions', columns: COLUMNS },
  decide: async (run, items, settle) => {
    const all = await findTargets(run, items, settle)
    const rows = await present(
      run.services.database.read,
      all.map(({ user, target }) => [user, target.feed, target.comment]),
    )
    const known = new Set(rows.map((row) => keyOf(row.user_id, row.feed_id, row.comment_id)))
    const kept = await withoutDuplicates(run, 'reactions', all, known, settle)
    const ids = await run.ids.take('reactions', kept.length)
    return kept.map(({ item, user, target }, i) => ({
      ...{ item, user, target, guarded: [item.record.type] },
      id: item.known?.local_id ?? (ids[i] as number),
    }))
  },
  insert: async (run, { add, counters, activities, earned }, decided) => {
    const at = (one: ReactionDecision) => notAfter(run.now, one.item.record.created_at)
    await add(
      'reactions',
      ['id', 'user_id', 'feed_id', 'comment_id', ...COLUMNS, 'created_at', 'updated_at'],
      decided.map((one) => [one.id, one.user, one.target.feed, one.target.comment, ...one.guarded, at(one), at(one)]),
    )
    for (const one of decided) {
      const { id, user, target } = one
      const { feed, comment, space, author } = target
      if (comment === null) counters.add('feeds.reactions_count', feed)
      else counters.add('comments.reactions_count', comment)
      const on = comment === null ? (['feed', feed] as const) : (['comment', comment] as const)
      activities.push({ user, action: 'reaction_added', on, space, feed, comment, at: at(one) })
      const dedupKey = `reaction_received:reaction:${id}`
      if (author !== user) earned.push({ user: author, kind: 'reaction_received', dedupKey, space, feed, comment, at: at(one) })
    }
  },
  update: async (_run, { db }, decided) => {
    for (const { id, guarded } of decided) await setColumns(db, 'reactions', COLUMNS, id, guarded)
  },
}
