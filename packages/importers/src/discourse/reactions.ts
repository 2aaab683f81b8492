import type { ArchiveRecord } from '@lyceum/contract/archive'
import { datetimeFromText } from '../datetime.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Community } from './community.ts'

interface Row {
  readonly post_id: number
  readonly user_id: number
  /** Emoji name; null for a like. */
  readonly value: string | null
  readonly created_at: string | null
  readonly topic_id: number | null
  readonly is_first: number | null
  readonly account: number | null
}

/** Likes, and reactions of the reactions plugin, which may store an additional like. */
const GIVEN = `select post_id, user_id, max(value) as value, max(case when value is not null then created_at end) as reacted_at,
    min(created_at) as liked_at from (
      select post_id, user_id, null as value, created_at from post_actions where post_action_type_id = 2 and deleted_at is null
      union all select r.post_id, u.user_id, r.reaction_value, u.created_at from discourse_reactions_reaction_users u
        join discourse_reactions_reactions r on r.id = u.reaction_id)
  group by post_id, user_id`
const REACTIONS = `select g.post_id, g.user_id, g.value, coalesce(g.reacted_at, g.liked_at) as created_at, w.topic_id, w.is_first, a.id as account
  from (${GIVEN}) g left join written w on w.id = g.post_id left join account a on a.id = g.user_id
  where g.post_id not in (select p.id from posts p join private_topic t on t.id = p.topic_id)
  order by g.post_id, g.user_id`

export const countReactions = ({ staging }: Community): number =>
  staging.get<{ n: number }>(`select count(*) as n from (${REACTIONS})`)?.n ?? 0

type Type = ArchiveRecord<'reactions'>['type']

/** Reaction types by emoji name; all others are likes. */
const TYPES: ReadonlyMap<string, Type> = new Map(
  (
    [
      ['love', 'heart_eyes smiling_face_with_three_hearts hugs hugging purple_heart blue_heart green_heart two_hearts'],
      ['laugh', 'laughing joy rofl smile grin smiley'],
      ['wow', 'open_mouth astonished exploding_head star_struck scream'],
      ['sad', 'cry sob disappointed frowning frowning_face worried broken_heart pleading_face'],
      ['angry', 'angry rage triumph'],
    ] as const
  ).flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
)

const reaction = (
  { earliest }: Community,
  { post_id, user_id, value, created_at, topic_id, is_first, account }: Row,
): Entry<'reactions'> => {
  const id = `${post_id}:${user_id}`
  if (topic_id === null) return leftOut(id, 'its post was not imported')
  if (account === null) return leftOut(id, 'its account does not exist in the source')
  return {
    id,
    person: String(user_id),
    ...(is_first ? { post: String(topic_id) } : { comment: String(post_id) }),
    type: TYPES.get(value ?? '') ?? 'like',
    created_at: datetimeFromText(created_at) ?? earliest,
  }
}

export function* readReactions(community: Community): Generator<Entry<'reactions'>> {
  for (const row of community.staging.rows<Row>(REACTIONS)) yield reaction(community, row)
}
