import { useInfiniteQuery } from '@tanstack/react-query'
import { useMe } from '../../../lib/session.ts'
import { feedListQuery } from '../queries.ts'
import { DraftList } from './draft-list.tsx'
import { scheduledQuery } from './queries.ts'

/** Scheduled posts of the user. */
export const ScheduledPage = () => <DraftList kind="scheduled" list={useInfiniteQuery(scheduledQuery(useMe().user_id))} />

/** Drafts of the user, from all devices. */
export const DraftsPage = () => {
  const list = useInfiniteQuery({ ...feedListQuery({ status: 'draft', user_id: useMe().user_id }), staleTime: 0 })
  return <DraftList kind="drafts" list={list} />
}
