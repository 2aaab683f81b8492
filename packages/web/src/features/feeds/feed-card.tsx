import { Link, useNavigate } from '@tanstack/react-router'
import { memo, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { pathOf } from '../../lib/urls.ts'
import style from './feed-card.module.css'
import { PostContent } from './post/content.tsx'
import { PostHeader } from './post/post-header.tsx'
import { PostTopics } from './post/topics.tsx'
import type { Feed } from './queries.ts'
import { ReactionBar } from './reaction-bar.tsx'

/** Posts with more text or lines than this are collapsed. Most lines end with a tag and a line break. */
const LONG = 1400
const MANY_LINES = 40
const LINE = /\n|<(?:br|p|li|tr|h[1-6]|div|dt|dd|pre|hr|summary|figure)\b/g
const isLong = ({ message, message_rendered }: Feed): boolean =>
  message.length > LONG || [message, message_rendered].some((text) => (text.match(LINE)?.length ?? 0) > 2 * MANY_LINES)

/** Last known content heights in pixels. Off-screen posts are not laid out, so their height is needed to restore the scroll position. */
const heights = new Map<number, number>()

const contentHeight = (element: HTMLElement): number => {
  const { paddingBlockStart, paddingBlockEnd } = getComputedStyle(element)
  return element.clientHeight - Number.parseFloat(paddingBlockStart) - Number.parseFloat(paddingBlockEnd)
}

/** Sets the remembered height of a post and updates it. */
const useOwnHeight = (id: number) => {
  const card = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = card.current
    const before = heights.get(id)
    if (element && before !== undefined) element.style.containIntrinsicBlockSize = `auto ${before}px`
    return () => {
      if (element) heights.set(id, contentHeight(element))
    }
  }, [id])
  return card
}

/** One post in a list. Memoized, so that a growing list does not re-render it. */
export const FeedCard = memo(({ feed, pinned = false }: { readonly feed: Feed; readonly pinned?: boolean }) => {
  const { t } = useTranslation('feeds')
  const navigate = useNavigate()
  const path = pathOf(feed.permalink)
  const long = isLong(feed)
  const card = useOwnHeight(feed.id)
  return (
    <article ref={card} className={style.card} aria-labelledby={`feed-${feed.id}`} data-feed={feed.id} tabIndex={-1}>
      <PostHeader feed={feed} pinned={pinned} />
      <h2 id={`feed-${feed.id}`} dir="auto" className={feed.title ? style.title : 'visually-hidden'}>
        <Link to={path as never}>{feed.title || t('feed.by', { name: feed.xprofile.display_name })}</Link>
      </h2>
      <div className={style.body} data-long={long || undefined}>
        <PostContent feed={feed} />
      </div>
      {long && (
        <Link to={path as never} className={style.on}>
          {t('feed.readMore')}
        </Link>
      )}
      <PostTopics terms={feed.terms} />
      <ReactionBar feed={feed} onComment={() => void navigate({ to: path, hash: 'comments' })} />
    </article>
  )
})
