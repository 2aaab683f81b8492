import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { fullDateTime, relativeTime } from '../../../lib/time.ts'
import { pathOf } from '../../../lib/urls.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../form-kit.tsx'
import style from './moderation.module.css'
import type { HeldItem } from './queries.ts'

interface Props {
  readonly item: HeldItem
  readonly current: boolean
  readonly onFocus: () => void
  readonly onApprove: () => void
  readonly onReject: () => void
}

/** Blocked words or URLs that matched. */
const found = (details: HeldItem['details']): string =>
  Object.values(details)
    .flat()
    .filter((value): value is string => typeof value === 'string')
    .join(', ')

/** A held post or comment: content, author and the reason it was held. */
export const QueueItem = ({ item, current, onFocus, onApprove, onReject }: Props) => {
  const { t } = useTranslation('admin')
  const { xprofile, reason, status } = item
  const over = found(item.details)
  return (
    <li>
      <article
        className={style.item}
        data-item
        data-current={current || undefined}
        tabIndex={-1}
        aria-label={t('queue.by', { name: xprofile.display_name })}
        onFocus={onFocus}
      >
        <header className={style.who}>
          <Avatar name={xprofile.display_name} src={xprofile.avatar} />
          <div>
            <Link to={`/people/${xprofile.username}` as never}>{xprofile.display_name}</Link>
            <p className={style.soft}>
              {t(`queue.${item.object_type}`)}
              {item.space && ` · ${item.space.title}`} · <time title={fullDateTime(item.created_at)}>{relativeTime(item.created_at)}</time>
            </p>
          </div>
          <div className={style.tags}>
            <Tag kind={status === 'spam' ? 'danger' : 'warn'}>{t(`reason.${reason}`)}</Tag>
            {item.reports_count > 0 && <Tag kind="danger">{t('queue.reports', { count: item.reports_count })}</Tag>}
          </div>
        </header>
        {item.title && <h2 className={style.title}>{item.title}</h2>}
        <p className={style.excerpt}>{item.excerpt}</p>
        {over && <p className={style.soft}>{t('queue.matches', { text: over })}</p>}
        <div className={style.acts}>
          <Button kind="primary" onClick={onApprove}>
            {t('queue.approve')}
          </Button>
          <Button onClick={onReject}>{t('queue.reject')}</Button>
          <Link to={pathOf(item.url) as never} className={style.open}>
            {t('queue.open')}
          </Link>
        </div>
      </article>
    </li>
  )
}
