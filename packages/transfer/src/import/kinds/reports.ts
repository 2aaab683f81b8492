import { excerpt, plainText } from '@lyceum/content'
import { REPORT_ACTIONS, REPORT_REASONS, REPORT_TEXT_LENGTH } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { batchStatement, type Value } from '../../../../server/src/db/index.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import { withoutDuplicates } from './pairs.ts'
import { notAfter, titleOf } from './values.ts'
import { setColumns } from './write-columns.ts'

interface ReportDecision extends Decision<'reports'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly row: readonly Value[]
}

const COLUMNS = ['status', 'moderator_id', 'moderator_note', 'action_taken']
const ROW = [
  'reporter_id',
  'reported_user_id',
  'object_type',
  'object_id',
  'space_id',
  'lesson_id',
  'reason',
  'description',
  'title',
  'excerpt',
]
const EXCERPT_LENGTH = 280

const textsOf = batchStatement<{ kind: string; id: number; title: string; html: string; lesson_id: number | null }>(
  { kind: 'text', id: 'bigint' },
  (rows) => `select d.kind, d.id, f.title, coalesce(c.message_rendered, f.message_rendered) as html, f.lesson_id from ${rows} d
    left join comments c on d.kind = 'comment' and c.id = d.id join feeds f on f.id = case when d.kind = 'comment' then c.post_id else d.id end`,
)
const present = batchStatement<{ reporter_id: number; object_type: string; object_id: number }>(
  { reporter_id: 'bigint', object_type: 'text', object_id: 'bigint' },
  (rows) => `select r.reporter_id, r.object_type, r.object_id from ${rows} d cross join reports r
    where r.reporter_id = d.reporter_id and r.object_type = d.object_type and r.object_id = d.object_id and r.status = 'pending'`,
)

/** Key of an open report. A person has at most one per object. */
const keyOf = (
  { id, status }: ArchiveRecord<'reports'>,
  reporter: number | null,
  object: { readonly type: string; readonly id: number },
) => (reporter === null || status !== 'pending' ? `report ${id}` : `${reporter} ${object.type} ${object.id}`)

const among = (list: readonly string[], value: string | undefined, fallback: string): string =>
  value !== undefined && list.includes(value) ? value : fallback

export const reports: KindWriter<'reports', ReportDecision> = {
  kind: 'reports',
  guarded: { table: 'reports', columns: COLUMNS },
  decide: async (run, items, settle) => {
    const people = await run.find(
      'people',
      items.flatMap(({ record }) => [record.reporter, record.person, record.moderator]),
    )
    const posts = await run.find(
      'posts',
      items.map(({ record }) => record.post),
    )
    const comments = await run.find(
      'comments',
      items.map(({ record }) => record.comment),
    )
    const all = items.flatMap((item) => {
      const { record } = item
      const comment = record.comment ? comments.get(record.comment) : undefined
      const post = record.post && !record.comment ? posts.get(record.post) : undefined
      const person = record.person && !record.post && !record.comment ? people.get(record.person) : undefined
      const object = comment
        ? { type: 'comment', id: comment.id, user: comment.user_id, space: comment.space_id }
        : post
          ? { type: 'feed', id: post.id, user: post.user_id, space: post.space_id }
          : person && { type: 'user', id: person.id, user: person.id, space: null }
      const reporter = people.get(record.reporter ?? '')?.id ?? null
      if (!object) settle(item, 'skipped', 'the reported content was not imported')
      else if (reporter === object.user) settle(item, 'skipped', 'the reporter reported themselves or their own content')
      else return [{ item, object, reporter, key: keyOf(record, reporter, object) }]
      return []
    })
    const rows = await present(
      run.services.database.read,
      all.map(({ reporter, object }) => [reporter, object.type, object.id]),
    )
    const known = new Set(rows.map((row) => `${row.reporter_id} ${row.object_type} ${row.object_id}`))
    const kept = await withoutDuplicates(run, 'reports', all, known, settle)
    const found = await textsOf(
      run.services.database.read,
      kept.flatMap(({ object }) => (object.type === 'user' ? [] : [[object.type, object.id]])),
    )
    const texts = new Map(found.map((text) => [`${text.kind} ${text.id}`, text]))
    const ids = await run.ids.take('reports', kept.length)
    return kept.map(({ item, object, reporter }, i) => {
      const { record } = item
      const text = texts.get(`${object.type} ${object.id}`)
      const reason = among(REPORT_REASONS, record.reason, 'other')
      const description =
        titleOf(record.description, REPORT_TEXT_LENGTH) || (reason === 'other' ? titleOf(record.reason, REPORT_TEXT_LENGTH) : '')
      return {
        item,
        id: item.known?.local_id ?? (ids[i] as number),
        guarded: [
          record.status,
          people.get(record.moderator ?? '')?.id ?? null,
          titleOf(record.moderator_note, REPORT_TEXT_LENGTH),
          among(REPORT_ACTIONS, record.action_taken, 'none'),
        ],
        row: [
          ...[reporter, object.user, object.type, object.id, object.space, text?.lesson_id ?? null, reason, description],
          record.title ?? text?.title ?? '',
          record.excerpt ?? (text ? excerpt(plainText(text.html), EXCERPT_LENGTH) : ''),
        ],
      }
    })
  },
  insert: async (run, { add }, decided) => {
    await add(
      'reports',
      ['id', ...ROW, ...COLUMNS, 'created_at', 'updated_at'],
      decided.map(({ id, row, guarded, item: { record } }) => {
        const at = notAfter(run.now, record.created_at)
        return [id, ...row, ...guarded, at, notAfter(run.now, record.updated_at ?? at)]
      }),
    )
  },
  update: async (_run, { db }, decided) => {
    for (const { id, guarded } of decided) await setColumns(db, 'reports', COLUMNS, id, guarded)
  },
}
