import { useInfiniteQuery } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../../lib/session.ts'
import { Card } from '../../../ui/card.tsx'
import { More } from '../../../ui/more.tsx'
import { Empty, Failure, Skeleton } from '../../../ui/states.tsx'
import home from '../home.module.css'
import { PostContent } from '../post/content.tsx'
import { PostHead } from '../post/head.tsx'
import { PostTopics } from '../post/topics.tsx'
import type { Feed } from '../queries.ts'
import { Plan } from './plan.tsx'
import { scheduledQuery } from './queries.ts'
import style from './scheduled.module.css'

const Planned = ({ feed }: { readonly feed: Feed }) => {
  const { t } = useTranslation('feeds')
  return (
    <article className={style.card} aria-labelledby={`feed-${feed.id}`}>
      <PostHead feed={feed} />
      <h2 id={`feed-${feed.id}`} className={feed.title ? '' : 'visually-hidden'}>
        {feed.title || t('feed.by', { name: feed.xprofile.display_name })}
      </h2>
      <PostContent feed={feed} />
      <PostTopics terms={feed.terms} />
      <Plan feed={feed} />
    </article>
  )
}

/** What the member has written for later. */
export const ScheduledPage = () => {
  const { t } = useTranslation('feeds')
  const me = useMe()
  const list = useInfiniteQuery(scheduledQuery(me.user_id))
  const planned = list.data?.pages.flatMap(({ feeds }) => feeds.data).filter(({ status }) => status === 'scheduled') ?? []
  useEffect(() => {
    document.title = t('scheduled.title')
  }, [t])
  return (
    <div className={home.page}>
      <h1>{t('scheduled.title')}</h1>
      {list.isPending && (
        <Card>
          <Skeleton lines={5} />
        </Card>
      )}
      {list.isError && planned.length === 0 && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.isSuccess && planned.length === 0 && (
        <Empty title={t('scheduled.empty')} icon={<CalendarClock />}>
          <p>{t('scheduled.emptyHint')}</p>
        </Empty>
      )}
      {planned.map((feed) => (
        <Planned key={feed.id} feed={feed} />
      ))}
      <More list={list} />
    </div>
  )
}
