import { client } from '../../lib/client.ts'
import { optimistic } from '../../lib/optimistic.ts'
import { queryClient } from '../../lib/query.ts'
import { keys } from '../../lib/query-keys.ts'
import { type FollowStatus, followStatusQuery, type Profile, profileQuery } from './queries.ts'

const refetchProfiles = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.profiles.all }),
    queryClient.invalidateQueries({ queryKey: keys.spaces.memberLists }),
  ])

/** Updates the follow status in the cache. Returns an undo function. */
const show = (username: string, status: FollowStatus['status']): (() => void) => {
  const follow = followStatusQuery(username).queryKey
  const profile = profileQuery(username).queryKey
  const before = [queryClient.getQueryData(follow), queryClient.getQueryData(profile)] as const
  const [known, person] = before
  if (known) queryClient.setQueryData(follow, { ...known, status, is_following: status === 'active' })
  if (person) {
    const change = (status === 'active' ? 1 : 0) - (known?.is_following ? 1 : 0)
    queryClient.setQueryData(profile, { ...person, followers_count: person.followers_count + change })
  }
  return () => {
    if (known) queryClient.setQueryData(follow, known)
    if (person) queryClient.setQueryData(profile, person)
  }
}

/** Follows a member or requests to. */
export const follow = async ({ username, is_private }: Profile): Promise<void> => {
  const undo = show(username, is_private ? 'pending' : 'active')
  if (await optimistic(undo, () => client.followers.follow({ username }))) await refetchProfiles()
}

/** Unfollows a member or withdraws the request. */
export const unfollow = async ({ username }: Profile): Promise<void> => {
  const undo = show(username, '')
  if (await optimistic(undo, () => client.followers.unfollow({ username }))) await refetchProfiles()
}

/** Accepts or declines a follow request. */
export const answerRequest = async (request_id: number, yes: boolean): Promise<void> => {
  const key = keys.people.requests
  const before = queryClient.getQueryData<{ data: { id: number }[] }>(key)
  if (before) queryClient.setQueryData(key, { ...before, data: before.data.filter(({ id }) => id !== request_id) })
  const work = () => (yes ? client.followers.approve({ request_id }) : client.followers.reject({ request_id }))
  await optimistic(() => queryClient.setQueryData(key, before), work)
  await Promise.all([queryClient.invalidateQueries({ queryKey: key }), refetchProfiles()])
}
