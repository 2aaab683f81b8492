import { type ContentRevision, type Infer, REVISED_FIELDS, type RevisedField } from '@lyceum/contract'
import type { Selectable } from 'kysely'
import { type PageQuery, pageOf, pagination } from '../../core/pagination.ts'
import { type Db, statement, statementOne } from '../../db/index.ts'
import type { ContentRevisionRow } from '../../db/schema.ts'
import { PERSON_COLUMNS, type PersonColumns, viewXprofile } from '../members/view.ts'

interface Row extends Omit<PersonColumns, 'u_username'>, Pick<Selectable<ContentRevisionRow>, RevisedField> {
  readonly id: number
  readonly editor_id: number | null
  readonly reason: string
  readonly created_at: string
  /** null: the editor's account was deleted. */
  readonly u_username: string | null
}

const FEED_CONDITION = 'r.feed_id = $1 and r.comment_id is null'
const COMMENT_CONDITION = 'r.comment_id = $1'

const listing = (where: string) => ({
  page: statement<Row>(
    `select r.id, r.editor_id, r.reason, ${REVISED_FIELDS.map((field) => `r.${field}`).join(', ')}, r.created_at, ${PERSON_COLUMNS}
     from content_revisions r left join users u on u.id = r.editor_id where ${where} order by r.id desc limit $2 offset $3`,
  ),
  count: statementOne<{ n: number }>(`select count(*) as n from content_revisions r where ${where}`),
})
type Listing = ReturnType<typeof listing>

const ofFeed = listing(FEED_CONDITION)
const ofComment = listing(COMMENT_CONDITION)

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

const read = async (db: Db, { page, count }: Listing, id: number, { query, namesEditor }: RevisionsRequest) => {
  const { limit, offset } = pageOf(query)
  const [rows, counted] = await Promise.all([page(db, [id, limit, offset]), count(db, [id])])
  return { data: rows.map((row) => viewRevision(row, namesEditor)), pagination: pagination(counted?.n ?? 0, query.page, query.per_page) }
}

/** The versions of a feed before each edit by someone other than its author, newest first. */
export const revisionsOfFeed = (db: Db, feedId: number, request: RevisionsRequest) => read(db, ofFeed, feedId, request)

/** The versions of a comment before each edit by someone other than its author, newest first. */
export const revisionsOfComment = (db: Db, commentId: number, request: RevisionsRequest) => read(db, ofComment, commentId, request)
