import type { ArchiveRecord } from '@lyceum/contract/archive'
import { datetimeOf } from '../datetime.ts'
import { type Fields, jsonFields, numberOf, textOf } from '../fields.ts'
import { leftOut, NO_DATA } from '../left-out.ts'
import type { Entry } from '../source.ts'
import { type Forum, slugAfterId, spaceOfCategory } from './forum.ts'
import { thumbnailOf } from './media.ts'

type Post = ArchiveRecord<'posts'>

interface Row {
  readonly tid: number
  readonly cid: number
  readonly main: number
  readonly scheduled: number | null
  readonly reason: string | null
  readonly uid: number
  readonly topic: string
  readonly post: string
  /** JSON array of its tags. */
  readonly tags: string
  readonly thumb: string | null
}

const POSTS = `select t.tid, t.cid, t.main, t.scheduled, t.reason, p.uid, h.data as topic, m.data as post,
    (select json_group_array(tag) from (select tag from tag where tid = t.tid order by position)) as tags,
    (select value from zset where _key = 'topic:' || t.tid || ':thumbs' order by score, value limit 1) as thumb
  from topic t join hash h on h._key = 'topic:' || t.tid
  left join post p on p.pid = t.main left join hash m on m._key = 'post:' || t.main order by t.tid`

/** URLs of a topic, with and without its slug. */
export const topicUrls = ({ base }: Forum, tid: number, slug: string): string[] => [
  ...new Set([`${base}/topic/${slug || tid}`, `${base}/topic/${tid}`]),
]

const post = (forum: Forum, row: Row, topic: Fields, main: Fields): Post => {
  const { tid, cid, scheduled } = row
  const slug = textOf(topic['slug'])
  const title = textOf(topic['title'])
  const created = datetimeOf(numberOf(topic['timestamp'])) ?? datetimeOf(numberOf(main['timestamp'])) ?? forum.earliest
  const edited = datetimeOf(numberOf(main['edited']))
  const thumbnail = thumbnailOf(forum, row.thumb)
  const active = datetimeOf(numberOf(topic['lastposttime']))
  return {
    id: String(tid),
    urls: [...topicUrls(forum, tid, slug), `${forum.base}/post/${row.main}`],
    author: String(row.uid),
    space: spaceOfCategory(cid),
    slug: slugAfterId(slug),
    title,
    message: textOf(main['content']) || title,
    format: forum.format,
    status: scheduled === null ? 'published' : 'scheduled',
    privacy: 'public',
    topics: JSON.parse(row.tags) as string[],
    ...(numberOf(topic['pinned']) === 1 && scheduled === null && { is_sticky: true }),
    ...(numberOf(topic['locked']) === 1 && { comments_disabled: true }),
    ...(thumbnail && { featured_image: thumbnail }),
    ...(scheduled === null ? { published_at: created } : { scheduled_at: created, auto_publish: true }),
    ...(active && scheduled === null && { active_at: active }),
    ...(edited && { edited_at: edited }),
    created_at: created,
  }
}

const QUEUED = `select h._key, h.data, z.score from hash h left join zset z on z._key = 'post:queue' and z.value = substr(h._key, 12)
  where h._key >= 'post:queue:' and h._key < 'post:queue;' order by h._key`

export const countQueued = (forum: Forum, type: string): number => {
  let count = 0
  for (const each of queued(forum)) if (each.type === type) count++
  return count
}

export interface Queued {
  readonly key: string
  readonly type: string
  readonly uid: number
  readonly fields: Fields
  readonly time: string
}

/** Topics and replies that await approval. */
export function* queued(forum: Forum): Generator<Queued> {
  for (const { _key, data, score } of forum.staging.rows<{ _key: string; data: string; score: number | null }>(QUEUED)) {
    const fields = jsonFields(data)
    const inner = fields?.['data']
    yield {
      key: _key,
      type: textOf(fields?.['type']),
      uid: numberOf(fields?.['uid']) ?? 0,
      fields: (typeof inner === 'string' ? jsonFields(inner) : (inner as Fields | null)) ?? {},
      time: datetimeOf(score) ?? forum.earliest,
    }
  }
}

export const hasAccount = ({ staging }: Forum, uid: number): boolean =>
  staging.get('select 1 from account where uid = ?', uid) !== undefined

const queuedPost = (forum: Forum, { key, uid, fields, time }: Queued): Entry<'posts'> => {
  const cid = numberOf(fields['cid']) ?? 0
  if (!forum.spaces.some((category) => category.cid === cid)) return leftOut(key, 'its category was not imported')
  if (!hasAccount(forum, uid)) return leftOut(key, 'the account of its author does not exist in the source')
  const title = textOf(fields['title'])
  return {
    id: key,
    author: String(uid),
    space: spaceOfCategory(cid),
    title,
    message: textOf(fields['content']) || title,
    format: forum.format,
    status: 'pending',
    privacy: 'public',
    created_at: time,
  }
}

export function* readPosts(forum: Forum): Generator<Entry<'posts'>> {
  for (const row of forum.staging.rows<Row>(POSTS)) {
    const [topic, main] = [jsonFields(row.topic), jsonFields(row.post)]
    const reason = row.reason ?? (topic && main ? null : NO_DATA)
    if (reason === null && topic && main) yield post(forum, row, topic, main)
    else yield leftOut(String(row.tid), reason ?? NO_DATA)
  }
  for (const each of queued(forum)) if (each.type === 'topic') yield queuedPost(forum, each)
}
