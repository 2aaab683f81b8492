import type { Entry } from '../source.ts'
import { skipped } from '../unreadable.ts'
import type { Context } from './context.ts'
import { plainText } from './text.ts'
import { validTime } from './times.ts'

/** A BuddyBoss report. */
export interface ReportRow {
  readonly id: number
  readonly reporter: number | null
  readonly content: string | null
  readonly date_created: string | null
  readonly item_type: string | null
  /** The reported object; null if it was deleted. */
  readonly object: number | null
  /** Title of the reason. */
  readonly category: string | null
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/spam|suspicious/i, 'spam'],
  [/harass|bully/i, 'harassment'],
  [/hate/i, 'hate_speech'],
  [/inappropriate|offensive/i, 'inappropriate'],
  [/misinformation|fake/i, 'misinformation'],
  [/violen/i, 'violence'],
]

const KINDS: Readonly<Record<string, 'post' | 'comment' | 'person'>> = { activity: 'post', activity_comment: 'comment', user: 'person' }

export const reportOf = (row: ReportRow, { founded }: { readonly founded: string }): Entry<'reports'> => {
  const id = String(row.id)
  const kind = KINDS[row.item_type ?? '']
  if (!kind) return skipped(id, `it reports an object that is not imported (${row.item_type})`)
  if (row.object === null) return skipped(id, `the reported ${kind} is missing`)
  const category = plainText(row.category ?? '')
  const text = plainText(row.content ?? '')
  const description = [category, text].filter((part) => part !== '').join(': ')
  return {
    id,
    reporter: row.reporter === null ? null : String(row.reporter),
    [kind]: String(row.object),
    reason: REASONS.find(([pattern]) => pattern.test(category))?.[1] ?? 'other',
    ...(description && { description: description.slice(0, 2000) }),
    status: 'pending',
    created_at: validTime(row.date_created) ?? founded,
  }
}

/** Rows that are not reports are blocks between members. */
export const ARE_REPORTS = `not (s.item_type = 'user' and not coalesce(m.user_report, 0))`

const REPORTS = `select m.id, u.ID as reporter, m.content, m.date_created, s.item_type, t.name as category,
  case when s.item_type = 'user' then (select o.ID from users o where o.ID = s.item_id)
    else (select a.id from bp_activity a where a.id = s.item_id and not exists (select 1 from single_file f where f.id = a.id)
      and a.type = case s.item_type when 'activity' then 'activity_update' else 'activity_comment' end) end as object
  from bp_moderation m join bp_suspend s on s.id = m.moderation_id left join users u on u.ID = m.user_id
  left join terms t on t.term_id = m.category_id where ${ARE_REPORTS} order by m.id`

export function* readReports({ staging, site }: Context): Generator<Entry<'reports'>> {
  for (const row of staging.rows<ReportRow>(REPORTS)) yield reportOf(row, site)
}
