import { type ContentRevision, type Infer, REVISED_FIELDS, type RevisedField } from '@lyceum/contract'
import { type PageQuery, pageOf, pagination } from '../../core/pagination.ts'
import { type ContentRevisionRow, type Db, type Placeholder, selectPage } from '../../db/index.ts'
import { PERSON_COLUMNS, type PersonColumns, viewXprofile } from '../members/view.ts'

interface Row
  extends Omit<PersonColumns, 'u_username'>,
    Pick<ContentRevisionRow, RevisedField | 'id' | 'editor_id' | 'reason' | 'created_at'> {
  /** null: the editor's account was deleted. */
  readonly u_username: string | null
}

const isKnown = (row: Row): row is Row & PersonColumns => row.u_username !== null

type Revision = Infer<typeof ContentRevision>

const viewContent = (row: Row) =>
  Object.fromEntries(REVISED_FIELDS.map((field) => [field, field === 'meta' ? JSON.parse(row.meta) : row[field]])) as Pick<
    Revision,
    RevisedField
  >

const viewRevision = (row: Row, namesEditor: boolean): Revision => ({
  id: row.id,
  ...viewContent(row),
  reason: row.reason,
  editor: namesEditor && row.editor_id !== null && isKnown(row) ? viewXprofile({ ...row, user_id: row.editor_id }) : null,
  created_at: row.created_at,
})

interface RevisionsRequest {
  readonly query: PageQuery
  /** Moderators see who edited; authors do not. */
  readonly namesEditor: boolean
}

const read = async (db: Db, where: (p: Placeholder) => string, { query, namesEditor }: RevisionsRequest) => {
  const { rows, total } = await selectPage<Row>(
    db,
    {
      columns: `r.id, r.editor_id, r.reason, ${REVISED_FIELDS.map((field) => `r.${field}`).join(', ')}, r.created_at, ${PERSON_COLUMNS}`,
      tables: 'content_revisions r',
      joins: 'left join users u on u.id = r.editor_id',
      where,
      order: 'r.id desc',
    },
    pageOf(query),
  )
  return { data: rows.map((row) => viewRevision(row, namesEditor)), pagination: pagination(total, query.page, query.per_page) }
}

/** The versions of a feed before each edit by someone other than its author, newest first. */
export const revisionsOfFeed = (db: Db, feedId: number, request: RevisionsRequest) =>
  read(db, (p) => `r.feed_id = ${p(feedId)} and r.comment_id is null`, request)

/** The versions of a comment before each edit by someone other than its author, newest first. */
export const revisionsOfComment = (db: Db, commentId: number, request: RevisionsRequest) =>
  read(db, (p) => `r.comment_id = ${p(commentId)}`, request)
