import type { ArchiveRecord } from '@lyceum/contract/archive'
import { datetimeFromText } from '../datetime.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import { type Community, hasAccount } from './community.ts'

type Report = ArchiveRecord<'reports'>

/** Flag types. A message to the author is not a report. */
const REASONS: Readonly<Record<number, { readonly reason: string; readonly description?: string }>> = {
  3: { reason: 'other', description: 'Off-topic' },
  4: { reason: 'inappropriate' },
  7: { reason: 'other', description: 'Something else' },
  8: { reason: 'spam' },
  10: { reason: 'other', description: 'Illegal' },
}

interface Row {
  readonly id: number
  readonly post_id: number
  readonly user_id: number | null
  readonly type: number
  readonly created_at: string | null
  readonly agreed_at: string | null
  readonly disagreed_at: string | null
  readonly deferred_at: string | null
  readonly moderator: number | null
  readonly topic_id: number | null
  readonly is_first: number | null
}

const FLAGS = `select f.id, f.post_id, f.user_id, f.post_action_type_id as type, f.created_at, f.agreed_at, f.disagreed_at, f.deferred_at,
    coalesce(f.agreed_by_id, f.disagreed_by_id, f.deferred_by_id) as moderator, w.topic_id, w.is_first
  from post_actions f left join written w on w.id = f.post_id
  left join posts p on p.id = f.post_id left join private_topic t on t.id = p.topic_id
  where f.post_action_type_id in (3, 4, 7, 8, 10) and f.deleted_at is null and t.id is null order by f.id`

export const countReports = ({ staging }: Community): number => staging.get<{ n: number }>(`select count(*) as n from (${FLAGS})`)?.n ?? 0

const statusOf = ({ agreed_at, disagreed_at, deferred_at }: Row): Report['status'] =>
  agreed_at ? 'resolved' : disagreed_at || deferred_at ? 'dismissed' : 'pending'

/** Flags of posts. */
export function* readReports(community: Community): Generator<Entry<'reports'>> {
  const known = (id: number | null) => (id !== null && id > 0 && hasAccount(community, id) ? String(id) : null)
  for (const row of community.staging.rows<Row>(FLAGS)) {
    const { id, post_id, user_id, type, topic_id, is_first, moderator } = row
    const decided = datetimeFromText(row.agreed_at ?? row.disagreed_at ?? row.deferred_at)
    if (topic_id === null) yield leftOut(String(id), 'its post was not imported')
    else
      yield {
        id: String(id),
        reporter: known(user_id),
        ...(is_first ? { post: String(topic_id) } : { comment: String(post_id) }),
        ...(REASONS[type] ?? { reason: 'other' }),
        status: statusOf(row),
        ...(known(moderator) && { moderator: known(moderator) }),
        created_at: datetimeFromText(row.created_at) ?? community.earliest,
        ...(decided && { updated_at: decided }),
      }
  }
}
