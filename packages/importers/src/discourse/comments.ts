import { datetimeFromText } from '../datetime.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import { type Community, hasAccount, isTrue, permalinksOf } from './community.ts'
import { textOfPost } from './texts.ts'

interface Row {
  readonly id: number
  readonly topic_id: number
  readonly n: number
  readonly reply_to: number | null
  readonly user_id: number
  readonly reason: string | null
  readonly slug: string | null
  readonly raw: string | null
  readonly cooked: string | null
  readonly created_at: string | null
  readonly edited_at: string | null
  readonly edited: number
  readonly by_other: number
  readonly hidden: string | null
  readonly solved_at: string | null
  readonly solver: number | null
}

const COMMENTS = `select c.*, t.slug, p.raw, p.cooked, p.created_at, p.hidden, p.last_version_at as edited_at, coalesce(p.version, 1) > 1 as edited,
    coalesce(p.last_editor_id, p.user_id) <> p.user_id as by_other, s.created_at as solved_at, s.accepter as solver
  from comment c join posts p on p.id = c.id join topics t on t.id = c.topic_id left join solution s on s.post_id = c.id order by c.id`

/** Accepted answers. Earlier versions store them in custom fields of topics. */
export const SOLUTIONS = `create table solution (post_id integer primary key, accepter integer, created_at text);
  insert or ignore into solution select answer_post_id, accepter_user_id, created_at from discourse_solved_solved_topics where answer_post_id is not null;
  insert or ignore into solution select cast(value as integer), null, created_at from topic_custom_fields`

interface Parent {
  readonly id: number
  readonly reply_to: number | null
  readonly reason: string | null
}

const BY_NUMBER = 'select id, reply_to, reason from comment where topic_id = ? and n = ?'
/** Maximum number of consecutive deleted replies to look through for a parent. */
const FURTHEST = 50

/** The parent of a reply. If the parent was deleted, its nearest existing ancestor. */
const parentOf = ({ staging }: Community, { topic_id, n, reply_to }: Row): number | null => {
  let [from, to] = [n, reply_to]
  for (let step = 0; to !== null && to < from && step < FURTHEST; step++) {
    const parent = staging.get<Parent>(BY_NUMBER, topic_id, to)
    if (!parent) return null
    if (parent.reason === null) return parent.id
    ;[from, to] = [to, parent.reply_to]
  }
  return null
}

const comment = (community: Community, row: Row): Entry<'comments'> => {
  const { base, earliest } = community
  const { id, topic_id, n, user_id, reason, slug, solver } = row
  if (reason !== null) return leftOut(String(id), reason)
  const { message: text, format } = textOfPost(row.raw ?? '', row.cooked ?? '', false)
  const message = text || (row.raw ?? '').trim()
  if (message === '') return leftOut(String(id), 'it is empty')
  const parent = parentOf(community, row)
  const created = datetimeFromText(row.created_at) ?? earliest
  const edited = row.edited ? datetimeFromText(row.edited_at) : null
  const solved = datetimeFromText(row.solved_at)
  return {
    id: String(id),
    urls: [
      ...(slug ? [`${base}/t/${slug}/${topic_id}/${n}`] : []),
      `${base}/t/${topic_id}/${n}`,
      `${base}/p/${id}`,
      ...permalinksOf(community, 'post_id', id),
    ],
    post: String(topic_id),
    author: String(user_id),
    ...(parent !== null && { parent: String(parent) }),
    message,
    format,
    status: isTrue(row.hidden) ? 'pending' : 'published',
    ...(isTrue(row.hidden) && { hold: { reason: 'moderator' } }),
    ...(solved && { helpful_at: solved, ...(solver !== null && hasAccount(community, solver) && { helpful_by: String(solver) }) }),
    ...(edited && edited !== created && { edited_at: edited, ...(row.by_other && { edited_by_moderator: true }) }),
    created_at: created,
  }
}

export function* readComments(community: Community): Generator<Entry<'comments'>> {
  for (const row of community.staging.rows<Row>(COMMENTS)) yield comment(community, row)
}
