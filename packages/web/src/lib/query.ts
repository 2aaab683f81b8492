import { LyceumError } from '@lyceum/sdk'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut } from './auth-errors.ts'

const MOST_TRIES = 2

/** A refusal stays one; what did not come at all, or should be tried later, is asked for again. */
const again = (failures: number, error: unknown) =>
  navigator.onLine && failures < MOST_TRIES && !(error instanceof LyceumError && error.status < 500 && error.status !== 429)

/** Whoever is signed out from elsewhere, or banned, is taken to where one signs in. What is being sent stays where it is written. */
const signedOut = (error: Error): void => {
  if (!isSignedOut(error)) return
  const session = queryClient.getQueryData<{ readonly user: unknown }>(['session'])
  if (session?.user) location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`)
}

/** What is done without a network is refused at once and in words, rather than done some time later. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: signedOut }),
  defaultOptions: {
    queries: { staleTime: 30_000, retry: again, refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: 'always' },
  },
})
