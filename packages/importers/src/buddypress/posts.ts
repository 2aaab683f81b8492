import type { Entry } from '../source.ts'
import { noted, skipped } from '../unreadable.ts'
import { readMeta } from '../wordpress/index.ts'
import { gifOf, previewOf } from './attachments.ts'
import type { Context } from './context.ts'
import { attachedTo } from './media.ts'
import { postUrls, type Site, uploadUrls } from './site.ts'
import { activityHtml, plainText } from './text.ts'
import { validTime } from './times.ts'
import { type ActivityVisibility, groupStatus, shownAs } from './visibility.ts'

/** A row of type `activity_update`. */
export interface PostRow extends ActivityVisibility {
  readonly id: number
  readonly user_id: number | null
  readonly component: string | null
  readonly item_id: number | null
  readonly post_title: string | null
  readonly content: string | null
  readonly date_recorded: string | null
  /** BuddyBoss: the time of the last comment or change. */
  readonly date_updated: string | null
  /** The URL slug of the author; null if the account was deleted. */
  readonly author_slug: string | null
  /** The group; null for the author's profile, or if the group was deleted. */
  readonly space: number | null
  readonly group_slug: string | null
  readonly group_status: string | null
  /** Registration time of the author. */
  readonly registered: string | null
  readonly has_files: number
  readonly gif: string | null
  readonly preview: string | null
  /** Path of the preview image, if it is an attachment. */
  readonly preview_image: string | null
  readonly edited: string | null
  readonly is_closed: string | null
  /** 1: pinned in its group; 2: pinned everywhere. */
  readonly is_pinned: number
  /** Ids of topics, comma-separated. */
  readonly topics: string | null
}

const EVERYWHERE = 2

const problemOf = (what: string, stored: string | null): string[] => {
  const { problem } = readMeta(stored)
  return problem === null ? [] : [`its ${what} cannot be read: ${problem}`]
}

const absolute = ({ origins }: Site, address: string) => (address.startsWith('/') ? (origins[0] ?? '') + address : address)

/** Attachments of a post or comment, and those that cannot be read. `media` has the ids of the media records. */
export const attachmentsOf = (row: Pick<PostRow, 'gif' | 'preview' | 'preview_image'>, media: readonly string[], site: Site) => {
  const gif = gifOf(row.gif)
  const link = previewOf(row.preview)
  const problems = [...problemOf('GIF', row.gif), ...problemOf('link preview', row.preview)]
  const image = row.preview_image ? absolute(site, uploadUrls(site, row.preview_image)[0] ?? '') : link?.preview.image
  return {
    ...(media.length > 0 && { media: [...media] }),
    ...(gif && { gif }),
    ...(link && { preview: { ...link.preview, ...(image && { image }) } }),
    problems,
  }
}

/** Converts an update to a post in the space of its group, or outside of spaces. */
export const postOf = (row: PostRow, media: readonly string[], { site, nameOf }: Pick<Context, 'site' | 'nameOf'>): Entry<'posts'>[] => {
  const id = String(row.id)
  const inGroup = row.component === 'groups'
  // Without its group, whose privacy is unknown, the post would become visible to everyone.
  if (inGroup && row.space === null) return [skipped(id, 'its group does not exist in the source, so its audience is unknown')]
  const created = validTime(row.date_recorded, row.date_updated, row.registered) ?? site.founded
  const edited = validTime(row.edited)
  const active = validTime(row.date_updated)
  const { note, ...shown } = shownAs(row, inGroup ? groupStatus(row.group_status) : null)
  const title = plainText(row.post_title ?? '').replace(/\s+/g, ' ')
  const { problems, ...attached } = attachmentsOf(row, media, site)
  const record = {
    id,
    urls: postUrls(site, row.id, row.author_slug, row.group_slug),
    author: String(row.user_id || 0),
    ...(row.space !== null && { space: String(row.space) }),
    ...(title && { title }),
    message: activityHtml(row.content ?? '', nameOf),
    format: 'html' as const,
    ...shown,
    ...attached,
    ...(row.is_pinned && !(inGroup && row.is_pinned === EVERYWHERE) && { is_sticky: true }),
    ...(inGroup && row.is_pinned === EVERYWHERE && { priority: 1 }),
    ...(row.is_closed === '1' && { comments_disabled: true }),
    ...(row.topics && { topics: row.topics.split(',') }),
    ...(shown.status === 'scheduled' && { scheduled_at: created, auto_publish: true }),
    ...(edited && edited > created && { edited_at: edited, updated_at: edited }),
    ...(active && active > created && { active_at: active }),
    ...(shown.status === 'published' && { published_at: created }),
    created_at: created,
  }
  return [record, ...[...(note ? [note] : []), ...problems].map((each) => noted(id, each))]
}

/** SQL for the newest value of a key in `bp_activity_meta`. */
const metaOf = (key: string) =>
  `(select meta_value from bp_activity_meta m where m.activity_id = a.id and m.meta_key = '${key}' order by m.id desc limit 1)`

/** SQL columns that posts and comments share. */
export const ACTIVITY_COLUMNS = `a.id, a.user_id, a.component, a.item_id, a.content, a.is_spam, a.date_recorded,
  u.user_registered as registered, ${metaOf('_gif_raw_data')} as gif, ${metaOf('_link_preview_data')} as preview, ${metaOf('_is_edited')} as edited,
  exists (select 1 from attached f where f.target = a.id) as has_files`

/** SQL condition: an activity is hidden by moderators or because of reports. */
export const hiddenAs = (type: string) =>
  `exists (select 1 from bp_suspend s where s.item_type = '${type}' and s.item_id = a.id and s.hide_sitewide = 1)`

export const ARE_POSTS = `a.type = 'activity_update' and not exists (select 1 from single_file f where f.id = a.id)`

const POSTS = `select ${ACTIVITY_COLUMNS}, a.post_title, a.date_updated, a.hide_sitewide, a.privacy, a.status, ${hiddenAs('activity')} as hidden,
  u.user_nicename as author_slug, g.id as space, g.slug as group_slug, g.status as group_status,
  ${metaOf('bb_is_closed_comments')} as is_closed,
  case when a.id = (select cast(option_value as integer) from options where option_name = 'bb_pinned_post') then 2
    when exists (select 1 from bp_groups_groupmeta p where p.group_id = g.id and p.meta_key = 'bb_pinned_post' and p.meta_value = a.id)
    then 1 else 0 end as is_pinned,
  (select group_concat(distinct t.topic_id) from bb_activity_topic_relationship t join bb_topics b on b.id = t.topic_id
    where t.activity_id = a.id) as topics
  from bp_activity a left join users u on u.ID = a.user_id left join bp_groups g on a.component = 'groups' and g.id = a.item_id
  where ${ARE_POSTS} order by a.id`

export function* readPosts(context: Context): Generator<Entry<'posts'>> {
  for (const row of context.staging.rows<Omit<PostRow, 'preview_image'>>(POSTS)) {
    const { media, preview_image } = attachedTo(context, row)
    yield* postOf({ ...row, preview_image }, media, context)
  }
}
