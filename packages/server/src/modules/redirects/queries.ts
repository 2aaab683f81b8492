import { batchStatement, statementExists, type Tables } from '../../db/index.ts'
import { permalink } from '../feeds/view.ts'
import { filePath } from '../media/view.ts'

type Ids = Omit<Tables['redirects'], 'path' | 'source'>

/** A redirect with what the address of its object consists of. */
export interface RedirectRow extends Ids {
  readonly path: string
  readonly source: string
  readonly username: string | null
  readonly space_slug: string | null
  readonly feed_slug: string | null
  readonly feed_space_slug: string | null
  readonly post_id: number | null
  readonly topic_slug: string | null
  readonly course_slug: string | null
  readonly lesson_slug: string | null
  readonly lesson_course_id: number | null
  readonly media_key: string | null
  readonly media_name: string | null
}

export const hasRedirects = statementExists('select 1 as one from redirects limit 1')

/** All redirects of some paths. */
export const redirectsOf = batchStatement<RedirectRow>(
  { path: 'text' },
  (rows) => `select r.path, r.source, r.user_id, r.space_id, r.feed_id, r.comment_id, r.topic_id, r.course_id, r.lesson_id, r.media_id,
      u.username, s.slug as space_slug, f.slug as feed_slug, fs.slug as feed_space_slug, c.post_id, t.slug as topic_slug,
      k.slug as course_slug, l.slug as lesson_slug, l.course_id as lesson_course_id, m.key as media_key, m.file_name as media_name
    from ${rows} d cross join redirects r
    left join users u on u.id = r.user_id and u.status <> 'deleted'
    left join spaces s on s.id = r.space_id
    left join comments c on c.id = r.comment_id
    left join feeds f on f.id = coalesce(r.feed_id, c.post_id) and f.lesson_id is null
    left join spaces fs on fs.id = f.space_id
    left join topics t on t.id = r.topic_id
    left join lessons l on l.id = coalesce(r.lesson_id, (select o.lesson_id from feeds o where o.id = c.post_id))
    left join courses k on k.id = coalesce(r.course_id, l.course_id)
    left join media m on m.id = r.media_id and m.status <> 'deleted'
    where r.path = d.path`,
)

/** The path of the object in this community; null if it is gone or has no page. */
export const newPathOf = (row: RedirectRow): string | null => {
  if (row.username !== null) return `/u/${row.username}`
  if (row.space_slug !== null) return `/spaces/${row.space_slug}`
  if (row.feed_slug !== null) {
    const feed = permalink('', { slug: row.feed_slug, s_slug: row.feed_space_slug })
    return row.comment_id === null ? feed : `${feed}?comment_id=${row.comment_id}`
  }
  if (row.topic_slug !== null) return `/?topic=${row.topic_slug}`
  if (row.course_slug !== null) return `/courses/${row.course_slug}${row.lesson_slug === null ? '' : `/lessons/${row.lesson_slug}`}`
  if (row.media_key !== null && row.media_name !== null) return filePath({ key: row.media_key, file_name: row.media_name })
  return null
}
