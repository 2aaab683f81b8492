import { searchEntry, type Value } from '../../../server/src/db/index.ts'
import { COMMENT, FEED } from '../insert/content.ts'
import { endedSlug } from '../insert/free-names.ts'
import { placeOf } from '../insert/placed.ts'
import { CARRIED } from '../insert/topics.ts'
import type { BareComment, BarePost } from '../plan/rows.ts'
import type { Loading } from './scene.ts'
import type { CommentWords, PostWords } from './words.ts'

const COUNTED_FEED = [...FEED, 'comments_count', 'reactions_count']
const COUNTED_COMMENT = [...COMMENT, 'reactions_count']

/** Iterates over the rows of a plan. */
export const readerOf = <Row>(lists: Iterable<readonly Row[]>) => {
  const left = lists[Symbol.iterator]()
  let list: readonly Row[] = []
  let at = 0
  return (): Row => {
    if (at === list.length) {
      list = left.next().value ?? []
      at = 0
    }
    return placeOf(list, at++)
  }
}

/** The slug that `freeSlugs` would find. */
const freeSlug = (taken: Set<string>, wanted: string, place: number): string => {
  let slug = taken.has(wanted) ? endedSlug(wanted, place) : wanted
  while (taken.has(slug)) slug = endedSlug(slug, place)
  taken.add(slug)
  return slug
}

/** Takes posts in the order of the plan. */
export const postLoader = ({ load, plan, firsts, spaces, topics, moment, slugs }: Loading) => {
  const next = readerOf<BarePost>(plan.barePosts)
  let place = 0
  return async (rows: readonly PostWords[]): Promise<void> => {
    const feeds: Value[][] = []
    const entries: Value[][] = []
    const filed: Value[][] = []
    const surveys: Value[][] = []
    const options: Value[][] = []
    for (const { title, message, content_type, html, slug, document, survey } of rows) {
      const post = next()
      const id = firsts.feeds + place
      const at = moment(post.created_at)
      const space = post.space === null ? null : placeOf(spaces, post.space)
      feeds.push([
        ...[id, firsts.users + post.author, space, 1, post.privacy, at, moment(post.active_at), post.type, content_type, at, at],
        ...[freeSlug(slugs, slug, place), title, JSON.stringify(survey ? { survey } : {}), message, html],
        ...[post.comments_count, post.reactions_count],
      ])
      entries.push(searchEntry(load.db, id, document))
      for (const [i, topic] of post.topics.entries()) filed.push([id, placeOf(topics, topic), i, at])
      if (survey) {
        surveys.push([id])
        for (const option of survey.options) options.push([id, option.slug])
      }
      place++
    }
    await load.add('feeds', COUNTED_FEED, feeds)
    await load.add('feed_search', ['rowid', 'document'], entries)
    await load.add('feed_topics', CARRIED, filed)
    await load.add('surveys', ['feed_id'], surveys)
    await load.add('survey_options', ['feed_id', 'slug'], options)
  }
}

/** Takes comments in the order of the plan. */
export const commentLoader = ({ load, plan, firsts, moment }: Loading) => {
  const next = readerOf<BareComment>(plan.bareComments)
  let id = firsts.comments
  return (rows: readonly CommentWords[]): Promise<void> =>
    load.add(
      'comments',
      COUNTED_COMMENT,
      rows.map(({ text, html }): Value[] => {
        const { author, post, parent, reactions_count, created_at } = next()
        const at = moment(created_at)
        const above = parent === null ? null : firsts.comments + parent
        return [id++, firsts.users + author, firsts.feeds + post, above, text, html, at, at, reactions_count]
      }),
    )
}
