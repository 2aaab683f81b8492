import { excerpt, plainText } from '@lyceum/content'
import type { Language } from '@lyceum/contract'
import type { Digest, DigestPost } from '@lyceum/mail/notifications'
import type { Actor, Services } from '../../../core/context.ts'
import { type Db, type FeedRow, type Placeholder, selectRows, statementValues } from '../../../db/index.ts'
import { permalink, visibleFeeds } from '../../feeds/index.ts'
import { presentNotifications, unreadCount } from '../presenter.ts'

const MAX_NOTIFICATIONS = 6
const MAX_POSTS = 5
const MAX_SPACES = 6
/** Maximum number of the newest posts outside the member's spaces that are ranked. */
const MAX_RANKED_POSTS = 400
const EXCERPT_LENGTH = 140

interface PostRow extends Pick<FeedRow, 'id' | 'title' | 'slug' | 'message_rendered' | 'comments_count' | 'reactions_count'> {
  readonly s_title: string | null
  readonly s_slug: string | null
  readonly author: string
}

interface DigestContext {
  readonly services: Services
  readonly db: Db
  readonly actor: Actor
  readonly lang: Language
  /** `since` is inclusive; `until` is exclusive and becomes the next digest's `since`. */
  readonly since: string
  readonly until: string
}

const unread = statementValues<number>(
  `select id from notifications where user_id = $1 and is_read = 0 and created_at >= $2 and created_at < $3 order by created_at desc, id desc limit 50`,
)

const POST_COLUMNS = `f.id, f.title, f.slug, f.message_rendered, f.comments_count, f.reactions_count, s.title as s_title, s.slug as s_slug,
  case when u.display_name = '' then u.username else u.display_name end as author`
const BY_POPULARITY = `order by f.reactions_count + 2 * f.comments_count desc, f.published_at desc, f.id desc`

const fromSpaces = ({ actor, since, until }: DigestContext, p: Placeholder): string => {
  const me = p(actor.id)
  return `from space_members m join feeds f on f.space_id = m.space_id join spaces s on s.id = f.space_id join users u on u.id = f.user_id
    where m.user_id = ${me} and m.status = 'active' and f.published_at >= ${p(since)} and f.published_at < ${p(until)}
    and f.user_id <> ${me} and u.status = 'active' and ${visibleFeeds(actor, p)}`
}

/** The most popular posts come first. */
const postsOfSpaces = (ctx: DigestContext) =>
  selectRows<PostRow>(ctx.db, (p) => `select ${POST_COLUMNS} ${fromSpaces(ctx, p)} ${BY_POPULARITY} limit ${p(MAX_POSTS)}`)

const postsElsewhere = ({ db, actor, since, until }: DigestContext, most: number) =>
  selectRows<PostRow>(db, (p) => {
    const me = p(actor.id)
    return `select ${POST_COLUMNS}
      from (select id from feeds where listed = 1 and published_at >= ${p(since)} and published_at < ${p(until)}
        order by published_at desc, id desc limit ${p(MAX_RANKED_POSTS)}) p1
      join feeds f on f.id = p1.id left join spaces s on s.id = f.space_id join users u on u.id = f.user_id
      where f.user_id <> ${me} and u.status = 'active' and ${visibleFeeds(actor, p)}
      and not exists (select 1 from space_members om where om.space_id = f.space_id and om.user_id = ${me} and om.status = 'active')
      ${BY_POPULARITY} limit ${p(most)}`
  })

const newInSpaces = (ctx: DigestContext) =>
  selectRows<{ title: string; slug: string; total: number }>(
    ctx.db,
    (p) => `select s.title, s.slug, count(*) as total ${fromSpaces(ctx, p)}
      group by s.id, s.title, s.slug order by total desc, s.id limit ${p(MAX_SPACES)}`,
  )

const viewPost = (row: PostRow, origin: string): DigestPost => ({
  title: row.title,
  excerpt: excerpt(plainText(row.message_rendered), EXCERPT_LENGTH),
  author: row.author,
  space: row.s_title,
  comments: row.comments_count,
  reactions: row.reactions_count,
  url: permalink(origin, row),
})

/** The content of a digest as the member may see it now; null if there is nothing to send. */
export const digestContents = async (
  ctx: DigestContext,
): Promise<Pick<Digest, 'notices' | 'moreNotices' | 'posts' | 'spaces' | 'notificationsUrl'> | null> => {
  const { services, db, actor, lang, since, until } = ctx
  const origin = services.origin()
  const ids = await unread(db, [actor.id, since, until])
  const [seen, all, inSpaces, spaces] = await Promise.all([
    presentNotifications({ db, actor, services }, ids, lang),
    unreadCount(db, actor),
    postsOfSpaces(ctx),
    newInSpaces(ctx),
  ])
  const elsewhere = inSpaces.length < MAX_POSTS ? await postsElsewhere(ctx, MAX_POSTS - inSpaces.length) : []
  const posts = [...inSpaces, ...elsewhere]
  if (seen.length === 0 && posts.length === 0) return null
  const notices = seen.slice(0, MAX_NOTIFICATIONS)
  return {
    notices: notices.map((notice) => ({
      title: notice.title,
      message: notice.message,
      url: notice.action_url,
      ...(notice.actor_id !== actor.id && { person: notice.xprofile.display_name || notice.xprofile.username }),
    })),
    moreNotices: Math.max(0, all - notices.length),
    notificationsUrl: `${origin}/notifications`,
    posts: posts.map((row) => viewPost(row, origin)),
    spaces: spaces.map(({ title, slug, total }) => ({ title, count: total, url: `${origin}/spaces/${slug}` })),
  }
}
