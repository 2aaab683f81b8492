import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { keys } from '../../lib/query-keys.ts'
import { QueryState } from '../../ui/query-state.tsx'
import { Comments } from '../feeds/comments/comments.tsx'

/** The feed that holds the comments of a lesson; cached like any feed, so that its counts stay current. */
const lessonFeedQuery = (feedId: number) =>
  queryOptions({
    queryKey: keys.feeds.ofLesson(feedId),
    queryFn: async ({ signal }) => (await client.feeds.byId({ feed_id: feedId }, { signal })).data,
  })

/** The comments of a lesson. */
export const LessonComments = ({ feedId }: { readonly feedId: number }) => {
  const feed = useQuery(lessonFeedQuery(feedId))
  if (!feed.data) return <QueryState query={feed} lines={3} />
  return <Comments feed={feed.data} />
}
