import { useNavigate } from '@tanstack/react-router'
import { Pin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { pathOf } from '../../lib/path.ts'
import { ago, whole } from '../../lib/time.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Rendered } from '../../ui/rendered.tsx'
import style from './feed-card.module.css'
import type { Feed } from './queries.ts'
import { ReactionBar } from './reaction-bar.tsx'

/** One post in a list. */
export const FeedCard = ({ feed, pinned = false }: { readonly feed: Feed; readonly pinned?: boolean }) => {
  const { t } = useTranslation('feeds')
  const navigate = useNavigate()
  const { xprofile: author, space } = feed
  const path = pathOf(feed.permalink)
  const open = (hash?: string) => navigate({ to: path, ...(hash && { hash }) })
  return (
    <article className={style.card} aria-labelledby={`feed-${feed.id}`} data-feed={feed.id}>
      {pinned && (
        <p className={style.pinned}>
          <Pin aria-hidden="true" /> {t('feed.pinned')}
        </p>
      )}
      <header className={style.head}>
        <Avatar name={author.display_name} src={author.avatar} />
        <div className={style.who}>
          <a href={`/people/${author.username}`} className={style.name}>
            {author.display_name}
          </a>
          <span className={style.soft}>
            {space && (
              <>
                <a href={`/spaces/${space.slug}`}>{t('feed.in', { space: space.title })}</a>
                {' · '}
              </>
            )}
            <a href={path} title={whole(feed.created_at)}>
              <time dateTime={`${feed.created_at.replace(' ', 'T')}Z`}>{ago(feed.created_at)}</time>
            </a>
          </span>
        </div>
        {feed.type === 'announcement' && <span className={style.kind}>{t('feed.announcement')}</span>}
        {feed.type === 'question' && <span className={style.kind}>{t('feed.question')}</span>}
      </header>
      <h2 id={`feed-${feed.id}`} className={feed.title ? style.title : 'visually-hidden'}>
        <a href={path}>{feed.title || author.display_name}</a>
      </h2>
      <Rendered html={feed.message_rendered} />
      {feed.featured_image && <img className={style.picture} src={feed.featured_image} alt="" loading="lazy" />}
      {feed.terms.length > 0 && (
        <ul className={style.topics}>
          {feed.terms.map(({ id, title, slug }) => (
            <li key={id}>
              <a href={`/?topic=${encodeURIComponent(slug)}`}>#{title}</a>
            </li>
          ))}
        </ul>
      )}
      <ReactionBar feed={feed} onComment={() => open('comments')} />
    </article>
  )
}
