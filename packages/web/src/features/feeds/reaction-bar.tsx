import { Bookmark, MessageCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { bookmark, react } from './actions.ts'
import type { Feed } from './queries.ts'
import style from './reaction-bar.module.css'
import { ReactionButton } from './reaction-button.tsx'
import { ReactionSummary } from './reaction-summary.tsx'
import { useFeedPermissions } from './use-feed-permissions.ts'

interface Props {
  readonly feed: Feed
  readonly onComment: () => void
}

/** React, comment and bookmark buttons of a post. */
export const ReactionBar = ({ feed, onComment }: Props) => {
  const { t } = useTranslation('feeds')
  const rights = useFeedPermissions(feed)
  return (
    <div className={style.bar}>
      {rights.react && <ReactionButton own={feed.has_user_react} onReact={(type) => react(feed, type)} />}
      <ReactionSummary of={{ feed_id: feed.id }} count={feed.reactions_count} types={feed.reaction_types} />
      <button type="button" className={style.act} onClick={onComment}>
        <MessageCircle aria-hidden="true" />
        {feed.comments_count > 0 && <span className={style.count}>{feed.comments_count}</span>}{' '}
        <span className={style.word}>
          {feed.comments_count > 0 ? t('feed.commentsLabel', { count: feed.comments_count }) : t('feed.comment')}
        </span>
      </button>
      <button
        type="button"
        className={`${style.act} ${style.last}`}
        aria-pressed={feed.bookmarked}
        aria-label={t('feed.bookmark')}
        title={t(feed.bookmarked ? 'feed.bookmarked' : 'feed.bookmark')}
        onClick={() => bookmark(feed)}
      >
        <Bookmark aria-hidden="true" fill={feed.bookmarked ? 'currentColor' : 'none'} />
      </button>
    </div>
  )
}
