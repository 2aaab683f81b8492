import { batchStatement } from '../../../../server/src/db/index.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import { withoutDuplicates } from './pairs.ts'
import { notAfter } from './values.ts'

interface BookmarkDecision extends Decision<'bookmarks'> {
  readonly id: number
  readonly user: number
  readonly feed: number
  readonly space: number | null
}

const present = batchStatement<{ user_id: number; feed_id: number }>(
  { user_id: 'bigint', feed_id: 'bigint' },
  (rows) => `select b.user_id, b.feed_id from ${rows} d cross join bookmarks b where b.user_id = d.user_id and b.feed_id = d.feed_id`,
)

export const bookmarks: KindWriter<'bookmarks', BookmarkDecision> = {
  kind: 'bookmarks',
  guarded: null,
  decide: async (run, items, settle) => {
    const people = await run.find(
      'people',
      items.map(({ record }) => record.person),
    )
    const posts = await run.find(
      'posts',
      items.map(({ record }) => record.post),
    )
    const all = items.flatMap((item) => {
      const person = people.get(item.record.person)
      const post = posts.get(item.record.post)
      if (!person || person.status === 'deleted') settle(item, 'skipped', 'its member was not imported')
      else if (!post) settle(item, 'skipped', 'its post was not imported')
      else return [{ item, user: person.id, feed: post.id, space: post.space_id, key: `${person.id} ${post.id}` }]
      return []
    })
    const rows = await present(
      run.services.database.read,
      all.map(({ user, feed }) => [user, feed]),
    )
    const known = new Set(rows.map(({ user_id, feed_id }) => `${user_id} ${feed_id}`))
    const kept = await withoutDuplicates(run, 'bookmarks', all, known, settle)
    const ids = await run.ids.take('bookmarks', kept.length)
    return kept.map((one, i) => ({ ...one, id: ids[i] as number, guarded: null }))
  },
  insert: async (run, { add, activities }, decided) => {
    await add(
      'bookmarks',
      ['id', 'user_id', 'feed_id', 'created_at'],
      decided.map(({ id, user, feed, item }) => [id, user, feed, notAfter(run.now, item.record.created_at)]),
    )
    for (const { user, feed, space, item } of decided)
      activities.push({ user, action: 'bookmark_added', on: ['feed', feed], space, feed, at: notAfter(run.now, item.record.created_at) })
  },
}
