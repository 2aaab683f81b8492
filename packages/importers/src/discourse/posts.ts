import type { ArchiveRecord } from '@lyceum/contract/archive'
import { datetimeFromText } from '../datetime.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import { type Community, isTrue, permalinksOf, spaceOfCategory } from './community.ts'
import { surveyOf } from './survey.ts'
import { textOfPost, withList } from './texts.ts'

type Post = ArchiveRecord<'posts'>

interface Row {
  readonly id: number
  readonly category_id: number | null
  readonly first: number | null
  readonly reason: string | null
  readonly user_id: number | null
  readonly title: string | null
  readonly slug: string | null
  readonly raw: string | null
  readonly cooked: string | null
  readonly created_at: string | null
  readonly bumped_at: string | null
  readonly edited_at: string | null
  readonly edited: number
  readonly by_other: number
  readonly closed: number
  readonly pinned: number
  readonly everywhere: number
  readonly hidden: string | null
  readonly visible: string | null
  /** Ids of its tags, in order. */
  readonly tags: string | null
}

const POSTS = `select t.id, t.category_id, t.first, t.reason, s.title, s.slug, s.created_at, s.bumped_at, s.visible, p.user_id, p.raw, p.cooked, p.hidden,
    p.last_version_at as edited_at, coalesce(p.version, 1) > 1 as edited, coalesce(p.last_editor_id, p.user_id) <> p.user_id as by_other,
    s.closed = 't' or s.archived = 't' as closed, s.pinned_at is not null and (s.pinned_until is null or s.pinned_until > ?) as pinned,
    s.pinned_globally = 't' as everywhere,
    (select group_concat(tag_id) from (select tag_id from tagged g where g.topic_id = t.id and g.tag_id not in (select id from hidden_tag)
      order by position)) as tags
  from topic t join topics s on s.id = t.id left join posts p on p.id = t.first order by t.id`

/** URLs of a topic, with and without its slug, each with and without the number of the first post. */
const topicUrls = (community: Community, { id, slug, first }: Row): string[] => {
  const { base } = community
  const named = slug ? [`${base}/t/${slug}/${id}`, `${base}/t/${slug}/${id}/1`] : []
  return [...named, `${base}/t/${id}`, `${base}/t/${id}/1`, `${base}/p/${first}`, ...permalinksOf(community, 'topic_id', id)]
}

/** Hidden posts become pending. Unlisted posts were only accessible by URL, so they become drafts. */
const statusOf = ({ hidden, visible }: Row): Post['status'] => (isTrue(hidden) ? 'pending' : visible === 'f' ? 'draft' : 'published')

const post = (community: Community, row: Row): Post => {
  const { id, category_id, user_id } = row
  const title = row.title?.trim() ?? ''
  const poll = surveyOf(community, id, title)
  const { message, format } = withList(textOfPost(row.raw ?? '', row.cooked ?? '', poll !== null), poll?.result ?? [])
  const created = datetimeFromText(row.created_at) ?? community.earliest
  const edited = row.edited ? datetimeFromText(row.edited_at) : null
  const active = datetimeFromText(row.bumped_at)
  const status = statusOf(row)
  return {
    id: String(id),
    urls: topicUrls(community, row),
    author: String(user_id ?? 0),
    ...(category_id !== null && { space: spaceOfCategory(category_id) }),
    ...(row.slug && { slug: row.slug }),
    title,
    message: message || title,
    format,
    status,
    ...(status === 'pending' && { hold: { reason: 'moderator' } }),
    privacy: 'public',
    topics: row.tags?.split(',') ?? [],
    ...(row.pinned && { is_sticky: true }),
    ...(row.pinned && row.everywhere && { priority: 1 }),
    ...(row.closed && { comments_disabled: true }),
    ...(poll && { content_type: 'survey', survey: poll.survey }),
    ...(edited && edited !== created && { edited_at: edited, ...(row.by_other && { edited_by_moderator: true }) }),
    ...(status !== 'draft' && { published_at: created }),
    ...(active && { active_at: active }),
    created_at: created,
  }
}

export function* readPosts(community: Community): Generator<Entry<'posts'>> {
  for (const row of community.staging.rows<Row>(POSTS, community.now))
    if (row.reason === null) yield post(community, row)
    else yield leftOut(String(row.id), row.reason)
}
