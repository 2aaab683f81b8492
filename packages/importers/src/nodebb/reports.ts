import type { ArchiveRecord } from '@lyceum/contract/archive'
import { datetimeOf } from '../datetime.ts'
import { type Fields, jsonFields, numberOf, textOf } from '../fields.ts'
import { leftOut, NO_DATA } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Forum } from './forum.ts'
import { hasAccount } from './posts.ts'

interface Row {
  readonly flag: number
  readonly data: string
  /** `uid;reason`; null in versions that store these in `data`. */
  readonly value: string | null
  readonly time: number | null
}

const FLAGS = `select f.flag, f.data, z.value, z.score as time
  from (select cast(substr(_key, 6) as integer) as flag, data from hash where _key >= 'flag:0' and _key < 'flag::') f
  left join zset z on z._key = 'flag:' || f.flag || ':reports' order by f.flag, z.score, z.value`
const PLACE = 'select tid, is_main from place where pid = ?'

export const countReports = ({ staging }: Forum): number => staging.get<{ n: number }>(`select count(*) as n from (${FLAGS})`)?.n ?? 0

type Report = ArchiveRecord<'reports'>

const STATUSES: Readonly<Record<string, Report['status']>> = {
  open: 'pending',
  wip: 'reviewed',
  resolved: 'resolved',
  rejected: 'dismissed',
}
const REASONS: Readonly<Record<string, string>> = { spam: 'spam', offensive: 'inappropriate', inappropriate: 'inappropriate' }

/** The target of a flag; null if it is not imported. */
const target = (forum: Forum, fields: Fields): Pick<Report, 'post' | 'comment' | 'person'> | null => {
  const id = numberOf(fields['targetId']) ?? 0
  if (textOf(fields['type']) === 'user') return hasAccount(forum, id) ? { person: String(id) } : null
  const place = forum.staging.get<{ tid: number; is_main: number }>(PLACE, id)
  return place ? (place.is_main ? { post: String(place.tid) } : { comment: String(id) }) : null
}

const report = (forum: Forum, { flag, data, value, time }: Row): Entry<'reports'> => {
  const fields = jsonFields(data)
  const [reporter = '', ...words] = (value ?? `${textOf(fields?.['uid'])};${textOf(fields?.['description'])}`).split(';')
  const id = `${flag}:${reporter}`
  if (!fields) return leftOut(id, NO_DATA)
  const about = target(forum, fields)
  if (!about) return leftOut(id, 'the reported content was not imported')
  const text = words.join(';').trim()
  const reason = REASONS[text.toLowerCase()] ?? 'other'
  const assignee = numberOf(fields['assignee'])
  return {
    id,
    reporter: hasAccount(forum, Number(reporter)) ? String(Number(reporter)) : null,
    ...about,
    reason,
    ...(reason === 'other' && text && { description: text }),
    status: STATUSES[textOf(fields['state'])] ?? 'pending',
    ...(assignee !== null && hasAccount(forum, assignee) && { moderator: String(assignee) }),
    created_at: datetimeOf(time) ?? datetimeOf(numberOf(fields['datetime'])) ?? forum.earliest,
  }
}

/** A flag becomes one report per reporter. */
export function* readReports(forum: Forum): Generator<Entry<'reports'>> {
  for (const row of forum.staging.rows<Row>(FLAGS)) yield report(forum, row)
}
