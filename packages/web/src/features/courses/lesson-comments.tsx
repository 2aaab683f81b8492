import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { keys } from '../../lib/query-keys.ts'
import { Failure, Skeleton } from '../../ui/feedback.tsx'
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
  if (feed.isPending) return <Skeleton />
  if (feed.isError) return <Failure error={feed.error} onRetry={() => feed.refetch()} />
  return <Comments feed={feed.data} />
}
