import { datetimeOf } from '../datetime.ts'
import { jsonFields, numberOf, textOf } from '../fields.ts'
import { leftOut, NO_DATA } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Forum } from './forum.ts'
import { hasAccount, type Queued, queued } from './posts.ts'

interface Row {
  readonly pid: number
  readonly tid: number
  readonly uid: number
  readonly reply_to: number | null
  readonly reason: string | null
  readonly data: string
  readonly slug: string | null
  readonly n: number | null
  /** Topic of the parent comment; null if it has no parent. */
  readonly parent_tid: number | null
  readonly parent_reason: string | null
}

const COMMENTS = `select c.pid, c.tid, c.uid, c.reply_to, c.reason, h.data, n.n, case when json_valid(t.data) then t.data ->> 'slug' end as slug,
    r.tid as parent_tid, r.reason as parent_reason
  from comment c join hash h on h._key = 'post:' || c.pid left join hash t on t._key = 'topic:' || c.tid
  left join number n on n.pid = c.pid left join comment r on r.pid = c.reply_to order by c.pid`

interface Parent {
  readonly pid: number
  readonly tid: number
  readonly reply_to: number | null
  readonly reason: string | null
}

const PARENT = 'select pid, tid, reply_to, reason from comment where pid = ?'
/** Maximum number of consecutive deleted replies to look through for a parent. */
const FURTHEST = 50

/** The parent of a reply. If the parent was deleted, its nearest existing ancestor. */
const parentOf = ({ staging }: Forum, { pid, tid, reply_to, parent_tid, parent_reason }: Row): number | null => {
  if (reply_to === null || parent_tid !== tid || reply_to >= pid) return null
  if (parent_reason === null) return reply_to
  let at = staging.get<Parent>(PARENT, reply_to)
  for (let step = 0; at && at.tid === tid && step < FURTHEST; step++) {
    if (at.reason === null) return at.pid
    if (at.reply_to === null || at.reply_to >= at.pid) return null
    at = staging.get<Parent>(PARENT, at.reply_to)
  }
  return null
}

const comment = (forum: Forum, row: Row): Entry<'comments'> => {
  const { base, earliest, format } = forum
  const { pid, tid, uid, reason, slug, n } = row
  const fields = jsonFields(row.data)
  const message = textOf(fields?.['content'])
  const problem = reason ?? (fields ? (message === '' ? 'it is empty' : null) : NO_DATA)
  if (problem !== null || !fields) return leftOut(String(pid), problem ?? NO_DATA)
  const edited = datetimeOf(numberOf(fields['edited']))
  const parent = parentOf(forum, row)
  return {
    id: String(pid),
    urls: [`${base}/post/${pid}`, ...(slug && n ? [`${base}/topic/${slug}/${n}`] : [])],
    post: String(tid),
    author: String(uid),
    ...(parent !== null && { parent: String(parent) }),
    message,
    format,
    status: 'published',
    ...(edited && { edited_at: edited }),
    created_at: datetimeOf(numberOf(fields['timestamp'])) ?? earliest,
  }
}

const queuedComment = (forum: Forum, { key, uid, fields, time }: Queued): Entry<'comments'> => {
  const tid = numberOf(fields['tid']) ?? 0
  const parent = numberOf(fields['toPid'])
  const topic = forum.staging.get<{ reason: string | null }>('select reason from topic where tid = ?', tid)
  const message = textOf(fields['content'])
  if (!topic || topic.reason !== null) return leftOut(key, 'its topic was not imported')
  if (!hasAccount(forum, uid)) return leftOut(key, 'the account of its author does not exist in the source')
  if (message === '') return leftOut(key, 'it is empty')
  const answered = parent === null ? undefined : forum.staging.get<Parent>(PARENT, parent)
  return {
    id: key,
    post: String(tid),
    author: String(uid),
    ...(answered?.reason === null && answered.tid === tid && { parent: String(parent) }),
    message,
    format: forum.format,
    status: 'pending',
    created_at: time,
  }
}

export function* readComments(forum: Forum): Generator<Entry<'comments'>> {
  for (const row of forum.staging.rows<Row>(COMMENTS)) yield comment(forum, row)
  for (const each of queued(forum)) if (each.type === 'reply') yield queuedComment(forum, each)
}
