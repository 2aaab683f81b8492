import { Bookmark, MessageCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { bookmark, REACTIONS, type ReactionType, react } from './actions.ts'
import style from './feed-card.module.css'
import type { Feed } from './queries.ts'

const FACES: Readonly<Record<ReactionType, string>> = { like: '👍', love: '❤️', laugh: '😂', wow: '😮', sad: '😢', angry: '😠' }

const isReaction = (type: string | null): type is ReactionType => REACTIONS.some((known) => known === type)

/** Reacting, commenting and keeping, below a post. The six reactions open where the button is rested on, focused or held. */
export const ReactionBar = ({ feed, onComment }: { readonly feed: Feed; readonly onComment: () => void }) => {
  const { t } = useTranslation('feeds')
  const own = isReaction(feed.has_user_react) ? feed.has_user_react : null
  return (
    <div className={style.bar}>
      <div className={style.reacting}>
        <button type="button" className={style.act} aria-pressed={own !== null} onClick={() => react(feed, own ?? 'like')}>
          <span aria-hidden="true">{FACES[own ?? 'like']}</span>
          <span>{t(`reaction.${own ?? 'like'}`)}</span>
          {feed.reactions_count > 0 && (
            <span className={style.count} title={t('feed.reactions', { count: feed.reactions_count })}>
              {feed.reactions_count}
            </span>
          )}
        </button>
        <div className={style.faces} role="group" aria-label={t('feed.react')}>
          {REACTIONS.map((type) => (
            <button key={type} type="button" aria-label={t(`reaction.${type}`)} aria-pressed={own === type} onClick={() => react(feed, type)}>
              {FACES[type]}
            </button>
          ))}
        </div>
      </div>
      <button type="button" className={style.act} onClick={onComment}>
        <MessageCircle aria-hidden="true" />
        <span>{feed.comments_count > 0 ? t('feed.comments', { count: feed.comments_count }) : t('feed.comment')}</span>
      </button>
      <button type="button" className={style.act} aria-pressed={feed.bookmarked} onClick={() => bookmark(feed)}>
        <Bookmark aria-hidden="true" fill={feed.bookmarked ? 'currentColor' : 'none'} />
        <span className={style.word}>{t(feed.bookmarked ? 'feed.bookmarked' : 'feed.bookmark')}</span>
      </button>
    </div>
  )
}
