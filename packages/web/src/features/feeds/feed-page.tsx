import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { onStreamEvent } from '../../lib/realtime.ts'
import back from '../../ui/back-link.module.css'
import { PageTitle } from '../../ui/page-title.tsx'
import { Comments } from './comments/comments.tsx'
import style from './feed-page.module.css'
import { PostContent } from './post/content.tsx'
import { PostHeader } from './post/post-header.tsx'
import { PostTopics } from './post/topics.tsx'
import { changeFeed, feedQuery, refreshFeedSoon } from './queries.ts'
import { ReactionBar } from './reaction-bar.tsx'
import { ScheduledNotice } from './scheduled/scheduled-notice.tsx'

/** A post with its comments. */
export const FeedPage = () => {
  const { t } = useTranslation('feeds')
  const { slug } = useParams({ strict: false }) as { readonly slug: string }
  const { comment_id } = useSearch({ strict: false }) as { readonly comment_id?: number }
  const navigate = useNavigate()
  const { data: feed } = useSuspenseQuery(feedQuery(slug))
  const { id } = feed
  const isUnsent = feed.status === 'scheduled' || feed.status === 'draft'
  const where = feed.space ? `/spaces/${feed.space.slug}` : '/'

  useEffect(
    () =>
      onStreamEvent('reaction', (event) => {
        if (event.feed_id === id && event.comment_id === null) refreshFeedSoon(id)
      }),
    [id],
  )
  useEffect(
    () =>
      onStreamEvent('feed', ({ feed_id, action, comments_count }) => {
        if (feed_id !== id) return
        if (action === 'updated') refreshFeedSoon(id)
        else if (comments_count !== undefined) changeFeed(id, (before) => ({ ...before, comments_count }))
      }),
    [id],
  )

  useEffect(() => {
    if (isUnsent) return
    void import('../notifications/actions.ts').then(({ markReadAbout }) => markReadAbout(feed.permalink))
  }, [feed.permalink, isUnsent])

  return (
    <div className={style.page}>
      <Link to={where as never} className={back.link}>
        <ArrowLeft aria-hidden="true" /> {feed.space?.title ?? t('feed.title')}
      </Link>
      <article className={style.post} aria-labelledby="post-title">
        <PostHeader feed={feed} pinned={feed.is_sticky} onRemoved={() => void navigate({ to: where as '/' })} />
        <PageTitle>{feed.title || t('feed.by', { name: feed.xprofile.display_name })}</PageTitle>
        <h1 id="post-title" dir="auto" className={feed.title ? style.title : 'visually-hidden'}>
          {feed.title || t('feed.by', { name: feed.xprofile.display_name })}
        </h1>
        <PostContent feed={feed} />
        <PostTopics terms={feed.terms} />
        <ScheduledNotice feed={feed} />
        {!isUnsent && (
          <>
            <ReactionBar
              feed={feed}
              onComment={() => document.querySelector<HTMLElement>('#comments > form :is(textarea, [role=textbox])')?.focus()}
            />
            <Comments feed={feed} meant={comment_id} />
          </>
        )}
      </article>
    </div>
  )
}
