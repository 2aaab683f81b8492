import { LyceumError } from '@lyceum/sdk'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut } from './auth-errors.ts'
import { BASE_PATH } from './base-path.ts'
import { keys } from './query-keys.ts'
import { pathOf } from './urls.ts'

const MOST_TRIES = 2

/** Retries network errors, 5xx and 429 responses. Other 4xx responses are final. */
const again = (failures: number, error: unknown) =>
  navigator.onLine && failures < MOST_TRIES && !(error instanceof LyceumError && error.status < 500 && error.status !== 429)

/**
 * Redirects to the sign-in page if the session ended elsewhere or the account was banned. Mutations keep what was entered and show the
 * error instead.
 */
const signedOut = (error: Error): void => {
  if (!isSignedOut(error)) return
  const session = queryClient.getQueryData<{ readonly user: unknown }>(keys.session)
  if (session?.user) location.assign(`${BASE_PATH}/sign-in?to=${encodeURIComponent(pathOf(location.href))}`)
}

/** Mutations fail immediately when offline; they are not paused until the network is back. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: signedOut }),
  defaultOptions: {
    queries: { staleTime: 30_000, retry: again, refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: 'always' },
  },
})
