import { REACTION_TYPES, type ReactionType } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { type Community, clean, countOf, type KindReader, personId, skipped } from './community.ts'

export interface ReactionRow {
  readonly id: number
  readonly user_id: number | null
  readonly object_id: number | null
  readonly object_type: string | null
  readonly type: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly person: number
  readonly object: number
  /** Whether an earlier row has a reaction of the same person to the same object. */
  readonly again: number
}

const NAMES: Readonly<Record<string, ReactionType>> = { haha: 'laugh', care: 'love', heart: 'love', thumbs_up: 'like', cry: 'sad' }

/** The reaction type. The free edition has only likes; add-ons have others. */
export const reactionType = (type: string): ReactionType =>
  (REACTION_TYPES as readonly string[]).includes(type) ? (type as ReactionType) : (NAMES[type] ?? 'like')

const reasonOf = (row: ReactionRow): string | null => {
  if (row.person === 0) return 'its account does not exist in the source'
  if (row.object === 0) return `its ${row.object_type === 'comment' ? 'comment' : 'post'} does not exist in the source or was skipped`
  return row.again === 1 ? 'it duplicates an earlier row' : null
}

export const reactionOf = (community: Community, row: ReactionRow) => {
  const reason = reasonOf(row)
  if (reason !== null) return skipped(row.id, reason)
  const isComment = row.object_type === 'comment'
  const record: ArchiveRecord<'reactions'> = {
    id: `${isComment ? 'comment' : 'post'}-${row.object_id}-${row.user_id}`,
    person: personId(row.user_id),
    ...(isComment ? { comment: String(row.object_id) } : { post: String(row.object_id) }),
    type: reactionType(clean(row.type)),
    created_at: community.created('fcom_post_reactions', row.id, row.created_at, row.updated_at),
  }
  return record
}

export const bookmarkOf = (community: Community, row: ReactionRow) => {
  const reason = reasonOf(row)
  if (reason !== null) return skipped(row.id, reason)
  return {
    id: `${row.object_id}-${row.user_id}`,
    person: personId(row.user_id),
    post: String(row.object_id),
    created_at: community.created('fcom_post_reactions', row.id, row.created_at, row.updated_at),
  }
}

const KINDS = "('bookmark', 'survey_vote', 'completed', 'incomplete')"
const REACTIONS = `from fcom_post_reactions r where r.object_type in ('feed', 'comment') and coalesce(r.type, 'like') not in ${KINDS}`
const BOOKMARKS = "from fcom_post_reactions r where r.object_type = 'feed' and r.type = 'bookmark'"

const PERSON = 'exists (select 1 from imported_people p where p.id = r.user_id) person'
const POST = 'exists (select 1 from imported_posts b where b.id = r.object_id and b.lesson = 0)'
const COMMENT = `exists (select 1 from fcom_post_comments c join imported_posts b on b.id = c.post_id
  where c.id = r.object_id and coalesce(c.type, 'comment') = 'comment')`

/** SQL condition for an earlier duplicate. It lists the types explicitly so that the index is used. */
const again = (condition: string) => `exists (select 1 from fcom_post_reactions o where ${condition}
  and o.object_type = r.object_type and o.object_id = r.object_id and o.user_id = r.user_id and o.id < r.id) again`

export const reactions: KindReader<'reactions'> = {
  table: 'fcom_post_reactions',
  count: (community) => countOf(community, REACTIONS),
  read: function* (community) {
    const { staging } = community
    const types = Array.from(
      staging.rows<{ type: string }>(`select distinct type ${REACTIONS}`),
      ({ type }) => `'${clean(type).replaceAll("'", "''")}'`,
    )
    const rows = `select r.*, ${PERSON}, iif(r.object_type = 'comment', ${COMMENT}, ${POST}) object, ${again(`o.type in (${types.join(', ')})`)} ${REACTIONS} order by r.id`
    for (const row of staging.rows<ReactionRow>(rows)) yield reactionOf(community, row)
  },
}

export const bookmarks: KindReader<'bookmarks'> = {
  table: 'fcom_post_reactions',
  count: (community) => countOf(community, BOOKMARKS),
  read: function* (community) {
    const rows = `select r.*, ${PERSON}, ${POST} object, ${again("o.type = 'bookmark'")} ${BOOKMARKS} order by r.id`
    for (const row of community.staging.rows<ReactionRow>(rows)) yield bookmarkOf(community, row)
  },
}
