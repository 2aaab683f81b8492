import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { CalendarClock, PencilLine } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../../lib/community.ts'
import { Card } from '../../../ui/card.tsx'
import { Empty, Skeleton } from '../../../ui/feedback.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { PageTabs } from '../../../ui/page-tabs.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import home from '../home.module.css'
import { PostContent } from '../post/content.tsx'
import { PostHeader } from '../post/post-header.tsx'
import { PostTopics } from '../post/topics.tsx'
import type { Feed, FeedPage } from '../queries.ts'
import style from './scheduled.module.css'
import { ScheduledNotice } from './scheduled-notice.tsx'

const Unsent = ({ feed }: { readonly feed: Feed }) => {
  const { t } = useTranslation('feeds')
  return (
    <article className={style.card} aria-labelledby={`feed-${feed.id}`}>
      <PostHeader feed={feed} />
      <h2 id={`feed-${feed.id}`} className={feed.title ? '' : 'visually-hidden'}>
        {feed.title || t('feed.by', { name: feed.xprofile.display_name })}
      </h2>
      <PostContent feed={feed} />
      <PostTopics terms={feed.terms} />
      <ScheduledNotice feed={feed} />
    </article>
  )
}

interface Props {
  readonly kind: 'drafts' | 'scheduled'
  readonly list: UseInfiniteQueryResult<InfiniteData<FeedPage>>
}

/** The user's unpublished posts. */
export const DraftList = ({ kind, list }: Props) => {
  const { t } = useTranslation('feeds')
  const community = useQuery(communityQuery)
  const status = kind === 'drafts' ? 'draft' : 'scheduled'
  const feeds = list.data?.pages.flatMap((page) => page.feeds.data).filter((feed) => feed.status === status) ?? []
  return (
    <div className={home.page}>
      <PageTitle>{t(`${kind}.title`)}</PageTitle>
      <h1>{t(`${kind}.title`)}</h1>
      {community.data?.features.scheduled_posts && (
        <PageTabs
          label={t(`${kind}.title`)}
          tabs={[
            { to: '/drafts', label: t('drafts.tab') },
            { to: '/scheduled', label: t('scheduled.tab') },
          ]}
        />
      )}
      <QueryState
        query={list}
        placeholder={
          <Card>
            <Skeleton lines={5} />
          </Card>
        }
        isEmpty={feeds.length === 0}
        empty={
          <Empty title={t(`${kind}.empty`)} icon={kind === 'drafts' ? <PencilLine /> : <CalendarClock />}>
            <p>{t(`${kind}.emptyHint`)}</p>
          </Empty>
        }
      />
      {feeds.map((feed) => (
        <Unsent key={feed.id} feed={feed} />
      ))}
      <LoadMore list={list} />
    </div>
  )
}
