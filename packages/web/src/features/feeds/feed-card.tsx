import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { pathOf } from '../../lib/path.ts'
import style from './feed-card.module.css'
import { PostContent } from './post/content.tsx'
import { PostHead } from './post/head.tsx'
import { PostTopics } from './post/topics.tsx'
import type { Feed } from './queries.ts'
import { ReactionBar } from './reaction-bar.tsx'

/** A text that is longer than so is shown from its beginning. */
const LONG = 1400

/** One post in a list. */
export const FeedCard = ({ feed, pinned = false }: { readonly feed: Feed; readonly pinned?: boolean }) => {
  const { t } = useTranslation('feeds')
  const navigate = useNavigate()
  const path = pathOf(feed.permalink)
  const long = feed.message.length > LONG
  return (
    <article className={style.card} aria-labelledby={`feed-${feed.id}`} data-feed={feed.id} tabIndex={-1}>
      <PostHead feed={feed} pinned={pinned} />
      <h2 id={`feed-${feed.id}`} dir="auto" className={feed.title ? style.title : 'visually-hidden'}>
        <Link to={path as never}>{feed.title || t('feed.by', { name: feed.xprofile.display_name })}</Link>
      </h2>
      <div className={style.body} data-long={long || undefined}>
        <PostContent feed={feed} />
      </div>
      {long && (
        <Link to={path as never} className={style.on}>
          {t('feed.readOn')}
        </Link>
      )}
      <PostTopics terms={feed.terms} />
      <ReactionBar feed={feed} onComment={() => void navigate({ to: path, hash: 'comments' })} />
    </article>
  )
}
