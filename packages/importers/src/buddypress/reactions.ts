import type { Entry } from '../source.ts'
import { broken, skipped } from '../unreadable.ts'
import { isArray, readMeta, textAt } from '../wordpress/index.ts'
import type { Context } from './context.ts'
import { reactionType } from './reaction-kinds.ts'
import { latest, validTime } from './times.ts'

interface Object {
  /** The activity and its type; null if it was deleted. */
  readonly object: number | null
  readonly object_type: string | null
}

const objectOf = ({ object, object_type }: Object): { post: string } | { comment: string } | { reason: string } => {
  if (object === null) return { reason: 'its post or comment does not exist in the source' }
  if (object_type === 'activity_update') return { post: String(object) }
  if (object_type === 'activity_comment') return { comment: String(object) }
  return { reason: `its activity is not a post (${object_type})` }
}

/** A BuddyBoss reaction. */
export interface ReactionRow extends Object {
  readonly id: number
  readonly person: number | null
  readonly date_created: string | null
  readonly object_created: string | null
  /** Title and serialized settings of the reaction type. */
  readonly kind: string | null
  readonly kind_settings: string | null
  readonly is_repeated: number
}

const kindOf = ({ kind, kind_settings }: ReactionRow) => {
  const { value } = readMeta(kind_settings)
  return reactionType(kind ?? '', textAt(value, 'name'), textAt(value, 'icon_text'), textAt(value, 'icon'))
}

export const reactionOf = (row: ReactionRow, { founded }: { readonly founded: string }): Entry<'reactions'> => {
  const id = String(row.id)
  if (row.person === null) return skipped(id, 'its account does not exist in the source')
  if (row.is_repeated) return skipped(id, 'the account has another reaction to the same activity')
  const object = objectOf(row)
  if ('reason' in object) return skipped(id, object.reason)
  const created_at = validTime(row.date_created, row.object_created) ?? founded
  return { id, person: String(row.person), ...object, type: kindOf(row), created_at }
}

/** A person's favorites, from the usermeta `bp_favorite_activities`. */
export interface FavoritesRow {
  readonly umeta_id: number
  readonly user_id: number
  readonly person: number | null
  readonly favorites: string | null
  readonly registered: string | null
}

export interface FavoriteActivity extends Object {
  readonly created: string | null
  /** Whether the person has a BuddyBoss reaction to the activity, which replaces the favorite. */
  readonly has_reaction: number
}

/** The distinct ids of a serialized list, in order; null if it is damaged. */
const favoritesIn = (serialized: string | null): number[] | null => {
  const { value, problem } = readMeta(serialized)
  if (problem !== null) return null
  if (!isArray(value)) return value === null || value === '' || value === false ? [] : null
  return [...new Set([...value.values()].map(Number))].filter((id) => Number.isSafeInteger(id) && id > 0)
}

/**
 * Converts favorites to likes. They have no date, so they get the later of the times of the activity and of the registration.
 */
const favoritesOf = (
  row: FavoritesRow,
  activity: (id: number) => FavoriteActivity | undefined,
  { founded }: { readonly founded: string },
): Entry<'reactions'>[] => {
  const all = `favorites:${row.user_id}`
  if (row.person === null) return [skipped(all, 'its account does not exist in the source')]
  const ids = favoritesIn(row.favorites)
  if (ids === null) return [broken(all, 'the list of favorites cannot be read')]
  return ids.map((activityId) => {
    const id = `favorite:${row.user_id}:${activityId}`
    const found = activity(activityId) ?? { object: null, object_type: null, created: null, has_reaction: 0 }
    if (found.has_reaction) return skipped(id, 'the account has a reaction to the same activity')
    const object = objectOf(found)
    if ('reason' in object) return skipped(id, object.reason)
    const created_at = latest(validTime(found.created) ?? founded, validTime(row.registered))
    return { id, person: String(row.person), ...object, type: 'like' as const, created_at }
  })
}

/** SQL for the type of an activity, for the report. */
const TYPE = `case when exists (select 1 from single_file f where f.id = a.id) then 'a single file of a post' else a.type end`

const REACTIONS = `select r.id, r.date_created, u.ID as person, a.id as object, ${TYPE} as object_type,
  a.date_recorded as object_created, k.post_title as kind, k.post_content as kind_settings,
  row_number() over (partition by r.user_id, r.item_id order by r.date_created desc, r.id desc) > 1 as is_repeated
  from bb_user_reactions r left join users u on u.ID = r.user_id left join bp_activity a on a.id = r.item_id
  left join posts k on k.ID = r.reaction_id and k.post_type = 'bb_reaction'
  where r.item_type in ('activity', 'activity_comment') order by r.id`

const FAVORITES = `select m.umeta_id, m.user_id, m.meta_value as favorites, u.ID as person, u.user_registered as registered
  from usermeta m left join users u on u.ID = m.user_id where m.meta_key = 'bp_favorite_activities'
    and not exists (select 1 from usermeta o where o.user_id = m.user_id and o.meta_key = m.meta_key and o.umeta_id < m.umeta_id)
  order by m.umeta_id`

const ACTIVITY = `select a.id as object, ${TYPE} as object_type, a.date_recorded as created,
  exists (select 1 from bb_user_reactions r where r.user_id = ? and r.item_id = a.id) as has_reaction from bp_activity a where a.id = ?`

export function* readReactions({ staging, site }: Context): Generator<Entry<'reactions'>> {
  for (const row of staging.rows<ReactionRow>(REACTIONS)) yield reactionOf(row, site)
  for (const row of staging.rows<FavoritesRow>(FAVORITES))
    yield* favoritesOf(row, (id) => staging.get<FavoriteActivity>(ACTIVITY, row.user_id, id), site)
}

/** Number of entries. */
export const countReactions = ({ staging }: Pick<Context, 'staging'>): number => {
  let count = staging.get<{ n: number }>(`select count(*) as n from (${REACTIONS})`)?.n ?? 0
  for (const row of staging.rows<FavoritesRow>(FAVORITES)) count += row.person === null ? 1 : (favoritesIn(row.favorites)?.length ?? 1)
  return count
}
