import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { keys } from '../../lib/query-keys.ts'

const A_PART = 6

/** Minimum query length. */
export const MIN_QUERY_LENGTH = 2

/** Matching members, spaces and courses. */
export const searchQuery = (search: string) =>
  queryOptions({
    queryKey: keys.search(search),
    queryFn: async ({ signal }) => {
      const asked = { search, per_page: A_PART }
      const [people, spaces, courses] = await Promise.all([
        client.members.list(asked, { signal }),
        client.spaces.list(asked, { signal }),
        client.courses.list(asked, { signal }),
      ])
      return { people: people.members, spaces: { data: spaces.spaces, total: spaces.pagination.total }, courses: courses.courses }
    },
    enabled: search.length >= MIN_QUERY_LENGTH,
    placeholderData: keepPreviousData,
  })
