import {
  containsText,
  type Db,
  type PageWindow,
  type Placeholder,
  selectPage,
  statement,
  statementExists,
  statementIn,
  statementNumber,
  statementOne,
  type TopicRow,
} from '../../db/index.ts'
import { readSettings } from '../settings/index.ts'

export type TopicRecord = TopicRow

/** The current topic settings, in a single query. `on`: both the feature and the configuration enable topics. */
export const topicRules = async (db: Db) => {
  const { features, topics } = await readSettings(db, ['features', 'topics'])
  return { ...topics, on: features.topics && topics.enabled }
}

/** Cache tags of the settings that affect how topics are shown. */
export const RULE_TAGS = ['setting:features', 'setting:topics'] as const

export const topicById = statementOne<TopicRecord>('select * from topics where id = $1')

export const nextPosition = statementNumber('select coalesce(max(position), 0) + 1 as n from topics')

export const isPositionTaken = statementExists('select id from topics where position = $1 and id <> $2 limit 1')
export const topicsFromPosition = statement<{ id: number }>('select id from topics where position >= $1 and id <> $2 order by id')
export const incrementPositions = statement('update topics set position = position + 1 where position >= $1 and id <> $2')

export const hasChildTopics = statementExists('select id from topics where parent_id = $1 limit 1')

const spacesOf = statementIn<{ topic_id: number; space_id: number }>(
  (list) => `select topic_id, space_id from topic_spaces where topic_id in (${list}) order by topic_id, space_id`,
)

export const spacesOfTopics = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number[]>> => {
  const rows = await spacesOf(db, ids)
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
  if (search) parts.push(containsText(search, p, 't.title', 't.description'))
  return parts.join(' and ')
}

/** One page of topics in order, and their total. Topics are few, so counting them is cheap. */
export const listTopics = (db: Db, filter: TopicFilter, page: PageWindow, extraCondition?: (p: Placeholder) => string) =>
  selectPage<TopicRecord>(
    db,
    { columns: 't.*', tables: 'topics t', where: (p) => condition(filter, p, extraCondition), order: 't.position, t.id' },
    page,
  )
