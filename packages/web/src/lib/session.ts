import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { claimStorage } from './account-data.ts'
import { client, rememberNonce } from './client.ts'
import { setLanguage } from './i18n.ts'
import { renewPush } from './push.ts'
import { queryClient } from './query.ts'
import { keys } from './query-keys.ts'

/** The signed-in user with role and permissions. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: async () => {
    const session = await client.auth.session()
    rememberNonce(session.nonce)
    if (session.user) {
      await claimStorage(session.user.user_id)
      if (session.user.lang) await setLanguage(session.user.lang)
      // A failure to renew push must not block the session.
      renewPush().catch(() => {})
    }
    return session
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export type Me = NonNullable<Awaited<ReturnType<typeof client.auth.session>>['user']>

/** The signed-in user. Pages below the shell are never rendered without one. */
export const useMe = (): Me => {
  const { user } = useSuspenseQuery(sessionQuery).data
  if (!user) throw new Error('nobody is signed in')
  return user
}

/** Clears all cached data after signing in or out, because it belongs to another account. */
export const resetSession = async (): Promise<void> => {
  queryClient.clear()
  await queryClient.fetchQuery(sessionQuery)
}
