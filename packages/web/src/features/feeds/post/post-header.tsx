import { Link } from '@tanstack/react-router'
import { Lock, Pin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { fullDateTime, relativeTime } from '../../../lib/time.ts'
import { pathOf } from '../../../lib/urls.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import type { Feed } from '../queries.ts'
import { useFeedPermissions } from '../use-feed-permissions.ts'
import { Edited } from './edited.tsx'
import { PostMenu } from './menu.tsx'
import style from './post-header.module.css'

interface Props {
  readonly feed: Feed
  readonly pinned?: boolean
  readonly onRemoved?: () => void
}

/** Author, space, time and actions of a post. */
export const PostHeader = ({ feed, pinned = false, onRemoved }: Props) => {
  const { t } = useTranslation('feeds')
  const rights = useFeedPermissions(feed)
  const { xprofile: author, space } = feed
  const kind = feed.status === 'published' ? (feed.type === 'announcement' || feed.type === 'question' ? feed.type : null) : feed.status
  return (
    <>
      {pinned && (
        <p className={style.pinned}>
          <Pin aria-hidden="true" /> {t('feed.pinned')}
        </p>
      )}
      <header className={style.head}>
        <Avatar name={author.display_name} src={author.avatar} />
        <div className={style.who}>
          <Link to={`/people/${author.username}` as never} className={style.name}>
            {author.display_name}
          </Link>
          <span className={style.soft}>
            {space && (
              <>
                <Link to={`/spaces/${space.slug}` as never}>{t('feed.in', { space: space.title })}</Link>
                {' · '}
              </>
            )}
            <Link to={pathOf(feed.permalink) as never} title={fullDateTime(feed.created_at)}>
              <time dateTime={`${feed.created_at.replace(' ', 'T')}Z`}>{relativeTime(feed.created_at)}</time>
            </Link>
            <Edited of={feed} revisions={{ feed_id: feed.id }} mayRead={rights.own || rights.edit} before=" · " />
            {feed.privacy === 'private' && (
              <Lock className={style.lock} aria-label={t(space ? 'composer.privateInSpace' : 'composer.privateOutside')} />
            )}
          </span>
        </div>
        {kind && (
          <span className={style.kind} data-kind={kind}>
            {t(`kind.${kind}`)}
          </span>
        )}
        <PostMenu feed={feed} {...(onRemoved && { onRemoved })} />
      </header>
    </>
  )
}
