import type { InfiniteData, Query } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { optimistic } from '../../lib/optimistic.ts'
import { queryClient } from '../../lib/query.ts'
import { keys } from '../../lib/query-keys.ts'
import type { Space, SpaceDetail } from './queries.ts'

type Pages = InfiniteData<{ spaces: { data: Space[] } }>
type Pivot = Space['space_pivot']

/** Updates a space in all cached lists. Returns an undo function. */
const changeSpace = (slug: string, change: <S extends Space>(space: S) => S): (() => void) => {
  const lists = queryClient.getQueriesData<Pages>({ queryKey: keys.spaces.lists })
  const one = queryClient.getQueryData<SpaceDetail>(keys.spaces.detail(slug))
  const of = (space: Space) => (space.slug === slug ? change(space) : space)
  for (const [key, list] of lists)
    if (list)
      queryClient.setQueryData<Pages>(key, {
        ...list,
        pages: list.pages.map((page) => ({ ...page, spaces: { ...page.spaces, data: page.spaces.data.map(of) } })),
      })
  if (one) queryClient.setQueryData(keys.spaces.detail(slug), change(one))
  return () => {
    for (const [key, list] of lists) queryClient.setQueryData(key, list)
    if (one) queryClient.setQueryData(keys.spaces.detail(slug), one)
  }
}

const withPivot =
  (pivot: Pivot) =>
  <S extends Space>(space: S): S => {
    const had = space.space_pivot?.status === 'active'
    const has = pivot?.status === 'active'
    return {
      ...space,
      space_pivot: pivot,
      is_member: has,
      members_count: space.members_count + (has ? 1 : 0) - (had ? 1 : 0),
      permissions: { ...space.permissions, is_member: has, is_pending: pivot?.status === 'pending' },
    }
  }

const SINGLE_SPACE = ['detail', 'members', 'lock-screen']

/** The space that a query is about, if it is about a single one and that is cached. */
const spaceOf = ({ queryKey: [feature, kind, subject] }: Query): SpaceDetail | undefined => {
  const slug: unknown =
    feature === 'feeds' ? (subject as { readonly space?: string } | undefined)?.space : SINGLE_SPACE.includes(String(kind)) && subject
  return slug ? queryClient.getQueryData<SpaceDetail>(keys.spaces.detail(String(slug))) : undefined
}

/** Whether a cached list is no longer visible to the user. */
const isClosed = (query: Query): boolean => {
  const [feature, kind] = query.queryKey
  const permissions = spaceOf(query)?.permissions
  if (!permissions) return false
  return feature === 'feeds' ? !permissions.can_view_posts : kind === 'members' && !permissions.can_view_members
}

/**
 * Invalidates everything that depends on space memberships, the user's permissions first. Nothing is requested of a deleted space, whose
 * page may still be open.
 */
export const refetchSpaces = async (deletedId?: number): Promise<void> => {
  const exists = (query: Query) => deletedId === undefined || spaceOf(query)?.id !== deletedId
  await queryClient.invalidateQueries({ queryKey: keys.spaces.details, predicate: exists })
  const others = (query: Query) => query.queryKey[1] !== 'detail' && exists(query) && !isClosed(query)
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.spaces.all, predicate: others }),
    queryClient.invalidateQueries({ queryKey: keys.feeds.lists, predicate: others }),
    queryClient.invalidateQueries({ queryKey: keys.profiles.all }),
  ])
}

/** Joins a space or requests to. */
export const join = async (space: Space): Promise<void> => {
  const undo = changeSpace(space.slug, withPivot({ role: 'member', status: space.privacy === 'public' ? 'active' : 'pending' }))
  if (await optimistic(undo, () => client.spaceMembers.join({ space_slug: space.slug }))) await refetchSpaces()
}

/** Leaves a space or withdraws the request to join. */
export const leave = async (space: Space): Promise<void> => {
  const undo = changeSpace(space.slug, withPivot(null))
  if (await optimistic(undo, () => client.spaceMembers.leave({ space_slug: space.slug }))) await refetchSpaces()
}
