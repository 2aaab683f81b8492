import type { Selectable } from 'kysely'
import {
  type Db,
  likeContaining,
  type Placeholder,
  parameters,
  runText,
  statement,
  statementIn,
  statementOne,
  type TopicRow,
} from '../../db/index.ts'

export type TopicRecord = Selectable<TopicRow>

export const topicById = statementOne<TopicRecord>('select * from topics where id = $1')
export const topicBySlug = statementOne<TopicRecord>('select * from topics where slug = $1')

const lastPosition = statementOne<{ position: number }>('select max(position) as position from topics')
export const nextPosition = async (db: Db): Promise<number> => ((await lastPosition(db))?.position ?? 0) + 1

export const isPositionTaken = statementOne<{ id: number }>('select id from topics where position = $1 and id <> $2 limit 1')
export const topicsFromPosition = statement<{ id: number }>('select id from topics where position >= $1 and id <> $2 order by id')
export const incrementPositions = statement('update topics set position = position + 1 where position >= $1 and id <> $2')

export const childTopic = statementOne<{ id: number }>('select id from topics where parent_id = $1 limit 1')

const spacesOf = statementIn<{ topic_id: number; space_id: number }>(
  (list) => `select topic_id, space_id from topic_spaces where topic_id in (${list(1)}) order by topic_id, space_id`,
)

/** The spaces that offer each of these topics. */
export const spacesOfTopics = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number[]>> => {
  const rows = ids.length === 0 ? [] : await spacesOf(db, ids.length, ids)
  return new Map(
    Map.groupBy(rows, (row) => row.topic_id)
      .entries()
      .map(([id, list]) => [id, list.map((row) => row.space_id)]),
  )
}

/** SQL condition: topic `t` is offered in the space given by a placeholder (0: outside of spaces). */
export const offeredIn = (space: string, t = 't'): string =>
  `(${t}.is_global = 1 or exists (select 1 from topic_spaces ts where ts.topic_id = ${t}.id and ts.space_id = ${space}))`

export interface TopicFilter {
  readonly status?: 'active' | 'inactive' | undefined
  /** 0: top-level topics. */
  readonly parent?: number | undefined
  readonly space?: number | undefined
  readonly search?: string | undefined
}

/** `extraCondition` adds a condition on topic `t` and may add placeholders. */
const condition = ({ status, parent, space, search }: TopicFilter, p: Placeholder, extraCondition?: (p: Placeholder) => string): string => {
  const parts = ['1 = 1']
  if (status) parts.push(`t.status = ${p(status)}`)
  if (parent !== undefined) parts.push(parent === 0 ? 't.parent_id is null' : `t.parent_id = ${p(parent)}`)
  if (space !== undefined) parts.push(offeredIn(p(space)))
  if (extraCondition) parts.push(extraCondition(p))
  if (search) {
    const pattern = likeContaining(search)
    parts.push(`(lower(t.title) like lower(${p(pattern)}) escape '\\' or lower(t.description) like lower(${p(pattern)}) escape '\\')`)
  }
  return parts.join(' and ')
}

/** One page of topics in order, and their total. Topics are few, so counting them is cheap. */
export const listTopics = async (
  db: Db,
  filter: TopicFilter,
  page: { limit: number; offset: number },
  extraCondition?: (p: Placeholder) => string,
): Promise<{ rows: TopicRecord[]; total: number }> => {
  const rows = parameters()
  const where = condition(filter, rows.p, extraCondition)
  const text = `select t.* from topics t where ${where} order by t.position, t.id limit ${rows.p(page.limit)} offset ${rows.p(page.offset)}`
  const count = parameters()
  const countText = `select count(*) as n from topics t where ${condition(filter, count.p, extraCondition)}`
  const [list, [counted]] = await Promise.all([
    runText<TopicRecord>(db, text, rows.values),
    runText<{ n: number }>(db, countText, count.values),
  ])
  return { rows: list, total: counted?.n ?? 0 }
}
