import { REPORT_REASONS } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { type Community, clean, countOf, type KindReader, personId, skipped } from './community.ts'
import { timesOf } from './spaces.ts'

export interface ReportRow {
  readonly id: number
  readonly user_id: number | null
  readonly post_id: number | null
  /** The reported comment; null for a report of the post. */
  readonly parent_id: number | null
  readonly message: string | null
  readonly message_rendered: string | null
  readonly status: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
  /** The status of the reported content; null if it does not exist. */
  readonly target: string | null
}

const REASONS: Readonly<Record<string, string>> = { against_community: 'inappropriate', offensive: 'inappropriate', hate: 'hate_speech' }

/** The status of a report. Reports of content that is still published are open, whatever their stored status. */
const statusOf = (status: string, target: string): ArchiveRecord<'reports'>['status'] => {
  if (/^(?:ignored|dismissed|rejected)$/.test(status)) return 'dismissed'
  return target === 'published' || status === 'pending' ? 'pending' : 'resolved'
}

const withoutTags = (text: string): string => text.replace(/<[^<>]*>/g, '').trim()

export const reportOf = (community: Community, row: ReportRow) => {
  if (row.target === null) return skipped(row.id, 'the reported content does not exist in the source or was skipped')
  const reason = clean(row.message).trim()
  const known = (REPORT_REASONS as readonly string[]).includes(reason) ? reason : (REASONS[reason] ?? 'other')
  const explanation = withoutTags(clean(row.message_rendered))
  const record: ArchiveRecord<'reports'> = {
    id: String(row.id),
    reporter: personId(row.user_id),
    ...(row.parent_id ? { comment: String(row.parent_id) } : { post: String(row.post_id) }),
    reason: known,
    description: explanation || (known === reason ? '' : reason),
    status: statusOf(clean(row.status), row.target),
    ...timesOf(community, 'fcom_post_comments', row),
  }
  return record
}

const REPORTS = "from fcom_post_comments r where r.type = 'report'"
const ROWS = `select r.*, iif(coalesce(r.parent_id, 0) > 0,
    (select coalesce(c.status, 'published') from fcom_post_comments c join imported_posts b on b.id = c.post_id
      where c.id = r.parent_id and coalesce(c.type, 'comment') = 'comment'),
    (select coalesce(p.status, 'published') from fcom_posts p join imported_posts b on b.id = p.id and b.lesson = 0 where p.id = r.post_id)) target
  ${REPORTS} order by r.id`

export const reports: KindReader<'reports'> = {
  table: 'fcom_post_comments',
  count: (community) => countOf(community, REPORTS),
  read: function* (community) {
    for (const row of community.staging.rows<ReportRow>(ROWS)) yield reportOf(community, row)
  },
}
