import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { MessagesSquare } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { FeedCard } from './feed-card.tsx'
import style from './home.module.css'
import { type FeedFilter, feedListQuery } from './queries.ts'

/** Pages that come by themselves as one reads on; further ones at a press, so that what stands below the list can be reached. */
const BY_THEMSELVES = 3

/** Posts, newest first unless the filter says otherwise, that go on as one reads. */
export const FeedList = ({ filter }: { readonly filter: FeedFilter }) => {
  const { t } = useTranslation('feeds')
  const list = useInfiniteQuery(feedListQuery(filter))
  const end = useRef<HTMLDivElement>(null)
  const pages = list.data?.pages ?? []
  const goesOn = list.hasNextPage && !list.isFetchingNextPage
  useEffect(() => {
    const mark = end.current
    if (!mark || !goesOn || pages.length >= BY_THEMSELVES) return
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && list.fetchNextPage(), { rootMargin: '800px' })
    watch.observe(mark)
    return () => watch.disconnect()
  }, [goesOn, pages.length, list.fetchNextPage])

  if (list.isPending)
    return (
      <>
        {[0, 1, 2].map((n) => (
          <Card key={n}>
            <Skeleton lines={5} />
          </Card>
        ))}
      </>
    )
  if (list.isError && pages.length === 0) return <Failure error={list.error} onRetry={() => list.refetch()} />
  const sticky = pages[0]?.sticky ?? null
  const feeds = pages.flatMap((page) => page.feeds.data)
  if (feeds.length === 0 && !sticky)
    return (
      <Empty title={t('feed.empty')} icon={<MessagesSquare />}>
        <p>{t('feed.emptyHint')}</p>
      </Empty>
    )
  return (
    <div className={style.page} role="feed" aria-busy={list.isFetching} aria-label={t('feed.title')}>
      {sticky && <FeedCard feed={sticky} pinned />}
      {feeds.map((feed) => (
        <FeedCard key={feed.id} feed={feed} />
      ))}
      <div ref={end} />
      {list.isFetchingNextPage && (
        <Card>
          <Skeleton lines={5} />
        </Card>
      )}
      {list.hasNextPage && pages.length >= BY_THEMSELVES && <Button onClick={() => list.fetchNextPage()}>{t('feed.more')}</Button>}
      {list.isFetchNextPageError && <Failure error={list.error} onRetry={() => list.fetchNextPage()} />}
    </div>
  )
}
