import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'

const A_PART = 6

/** Fewer letters find nobody. */
export const FEWEST_LETTERS = 2

/** People, spaces and courses that fit. */
export const foundQuery = (search: string) =>
  queryOptions({
    queryKey: ['search', search],
    queryFn: async ({ signal }) => {
      const asked = { search, per_page: A_PART }
      const [people, spaces, courses] = await Promise.all([
        client.members.list(asked, { signal }),
        client.spaces.list(asked, { signal }),
        client.courses.list(asked, { signal }),
      ])
      return { people: people.members, spaces: { data: spaces.spaces, total: spaces.pagination.total }, courses: courses.courses }
    },
    enabled: search.length >= FEWEST_LETTERS,
    placeholderData: keepPreviousData,
  })
