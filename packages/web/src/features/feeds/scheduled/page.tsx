import { useInfiniteQuery } from '@tanstack/react-query'
import { useMe } from '../../../lib/session.ts'
import { feedListQuery } from '../queries.ts'
import { UnsentList } from './draft-list.tsx'
import { scheduledQuery } from './queries.ts'

/** What the member has written for later. */
export const ScheduledPage = () => <UnsentList kind="scheduled" list={useInfiniteQuery(scheduledQuery(useMe().user_id))} />

/** What the member has begun to write, on whatever device. */
export const DraftsPage = () => {
  const list = useInfiniteQuery({ ...feedListQuery({ status: 'draft', user_id: useMe().user_id }), staleTime: 0 })
  return <UnsentList kind="drafts" list={list} />
}
