import { LyceumError } from '@lyceum/sdk'
import { QueryClient } from '@tanstack/react-query'

const MOST_TRIES = 2

/** A refusal stays one; what did not come at all, or should be tried later, is asked for again. */
const again = (failures: number, error: unknown) =>
  failures < MOST_TRIES && !(error instanceof LyceumError && error.status < 500 && error.status !== 429)

/** What is done without a network is refused at once and in words, rather than done some time later. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: again, refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: 'always' },
  },
})
