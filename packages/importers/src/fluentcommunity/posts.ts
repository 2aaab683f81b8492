import { CONTENT_TYPES, FEED_TYPES } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { at, flagAt, isArray, numberAt, type PhpValue, readMeta, textAt } from '../wordpress/index.ts'
import { attachmentsOf } from './attachments.ts'
import { type Community, clean, countOf, type KindReader, noted, personId, skipped, slugOf } from './community.ts'
import { pictureFields } from './media-files.ts'
import { timesOf } from './spaces.ts'
import { surveyOf } from './surveys.ts'

type Post = ArchiveRecord<'posts'>

export interface PostRow {
  readonly id: number
  readonly has_topics: 0 | 1
  readonly user_id: number | null
  readonly title: string | null
  readonly slug: string | null
  readonly message: string | null
  readonly message_rendered: string | null
  readonly type: string | null
  readonly content_type: string | null
  readonly space_id: number | null
  readonly privacy: string | null
  readonly status: string | null
  readonly featured_image: string | null
  readonly meta: string | null
  readonly is_sticky: number | null
  readonly priority: number | null
  readonly expired_at: string | null
  readonly scheduled_at: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
}

const STATUSES: Readonly<Record<string, Post['status']>> = {
  published: 'published',
  draft: 'draft',
  scheduled: 'scheduled',
  pending: 'pending',
  spam: 'spam',
  unpublished: 'pending',
}

/** The status of a post. Posts that FluentCommunity does not list become drafts. */
const statusOf = (row: PostRow): { readonly status: Post['status']; readonly note: string | null } => {
  const stored = clean(row.status)
  const status = STATUSES[stored]
  return status ? { status, note: null } : { status: 'draft', note: `its status was ${stored || 'empty'}; it is a draft now` }
}

/** The Markdown source, or else the HTML that FluentCommunity rendered from it. */
export const textOf = (row: Pick<PostRow, 'message' | 'message_rendered' | 'content_type'>): Pick<Post, 'message' | 'format'> => {
  const message = clean(row.message)
  if (message.trim() === '' && clean(row.message_rendered).trim() !== '') return { message: clean(row.message_rendered), format: 'html' }
  return { message, format: row.content_type === 'html' ? 'html' : 'markdown' }
}

const contentType = (type: string): Post['content_type'] =>
  type !== 'html' && (CONTENT_TYPES as readonly string[]).includes(type) ? (type as Post['content_type']) : 'text'

const lastEdit = ({ zone }: Community, meta: PhpValue, author: number | null): Pick<Post, 'edited_at' | 'edited_by_moderator'> => {
  const time = zone.toUtc(textAt(meta, 'last_edited', 'time'))
  const editor = numberAt(meta, 'last_edited', 'user_id')
  return time === null ? {} : { edited_at: time, ...(editor !== null && editor !== author && { edited_by_moderator: true }) }
}

const TOPICS = `select distinct t.id, min(f.id) place from fcom_term_feed f join fcom_terms t on t.id = f.term_id
  where f.post_id = ? and t.taxonomy_name = 'post_topic' group by t.id order by place`

/** Avoids the topics query for posts without topics. */
const HAS_TOPICS = 'exists(select 1 from fcom_term_feed f where f.post_id = p.id) has_topics'

export const postOf = (community: Community, row: PostRow, space: string | null) => {
  const { staging, zone, portal } = community
  const read = readMeta(row.meta)
  const meta = read.value
  const slug = slugOf(row.slug)
  const title = clean(row.title).trim()
  const { status, note } = statusOf(row)
  const { problems, ...attached } = attachmentsOf(community, meta)
  const text = textOf(row)
  const survey = surveyOf(meta, title, text.message, zone)
  const scheduled = zone.toUtc(row.scheduled_at)
  const expired = zone.toUtc(row.expired_at)
  const topics = row.has_topics === 1 ? Array.from(staging.rows<{ id: number }>(TOPICS, row.id), ({ id }) => String(id)) : []
  const record: Post = {
    id: String(row.id),
    ...(slug && { urls: [`${portal}/post/${slug}`, ...(space === null ? [] : [`${portal}/space/${space}/post/${slug}`])], slug }),
    author: personId(row.user_id),
    space: space === null ? null : String(row.space_id),
    ...(title && { title }),
    ...text,
    type: (FEED_TYPES as readonly string[]).includes(row.type ?? '') ? (row.type as Post['type']) : 'text',
    content_type: survey ? 'survey' : contentType(clean(row.content_type)),
    // Without a time, it would never be published.
    status: status === 'scheduled' && scheduled === null ? 'draft' : status,
    privacy: row.privacy === null || row.privacy === '' || row.privacy === 'public' ? 'public' : 'private',
    ...(topics.length > 0 && { topics }),
    is_sticky: row.is_sticky === 1,
    ...(row.priority !== null && row.priority > 0 && { priority: 1 }),
    ...(flagAt(meta, 'comments_disabled') && { comments_disabled: true }),
    ...pictureFields(community, 'featured_image', row.featured_image),
    ...(survey && { survey }),
    ...attached,
    ...(status === 'scheduled' && scheduled !== null && { scheduled_at: scheduled, auto_publish: true }),
    ...(expired !== null && { expired_at: expired }),
    ...lastEdit(community, meta, row.user_id),
    ...timesOf(community, 'fcom_posts', row),
  }
  const lost = isArray(at(meta, 'survey_config')) && !survey ? ['its survey was dropped: it has no options'] : []
  const notes = [
    ...(note === null ? [] : [note]),
    ...(read.problem === null ? [] : [`its attachments were dropped, because they cannot be read: ${read.problem}`]),
  ]
  return [record, ...[...notes, ...problems, ...lost].map((each) => noted(row.id, each))]
}

const POSTS = "from fcom_posts p where coalesce(p.type, '') not in ('course_section', 'course_lesson')"

export const posts: KindReader<'posts'> = {
  table: 'fcom_posts',
  count: (community) => countOf(community, POSTS),
  read: function* (community) {
    const { staging } = community
    const spaces = new Map(
      Array.from(
        staging.rows<{ id: number; slug: string | null }>("select id, slug from fcom_spaces where type = 'community'"),
        ({ id, slug }) => [id, slugOf(slug)],
      ),
    )
    for (const row of staging.rows<PostRow>(`select p.*, ${HAS_TOPICS} ${POSTS} order by p.id`)) {
      const space = row.space_id ? spaces.get(row.space_id) : null
      if (space === undefined) yield skipped(row.id, 'its space does not exist in the source, so its audience is unknown')
      else yield* postOf(community, row, space)
    }
  },
}
