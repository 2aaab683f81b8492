import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { BellOff, CheckCheck, Settings, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { markAllRead, removeAll } from './actions.ts'
import { NotificationRow } from './notification-row.tsx'
import style from './notifications.module.css'
import { notificationsQuery, unreadQuery } from './queries.ts'

const route = getRouteApi('/members/notifications')

export const NotificationsPage = () => {
  const { t } = useTranslation('notifications')
  const { unread } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(notificationsQuery(unread === true))
  const count = useQuery(unreadQuery).data ?? 0
  const [asking, setAsking] = useState(false)
  const shown = list.data?.pages.flatMap((page) => page.notifications.data) ?? []
  return (
    <div className={style.page}>
      <header className={style.head}>
        <PageTitle>{t('title')}</PageTitle>
        <h1>{t('title')}</h1>
        <span className={style.acts}>
          <Button kind="quiet" icon={<CheckCheck aria-hidden="true" />} onClick={() => markAllRead()} disabled={count === 0}>
            {t('readAll')}
          </Button>
          <IconButton label={t('deleteAll')} onClick={() => setAsking(true)} disabled={shown.length === 0}>
            <Trash2 aria-hidden="true" />
          </IconButton>
          <Link to="/account/notifications" className={style.settings} aria-label={t('preferences')} title={t('preferences')}>
            <Settings aria-hidden="true" />
          </Link>
        </span>
      </header>
      <SegmentedControl
        label={t('which')}
        value={unread ? 'unread' : 'all'}
        options={[
          { value: 'all', label: t('all') },
          { value: 'unread', label: t('unread') },
        ]}
        onChange={(which) => navigate({ search: (() => ({ unread: which === 'unread' || undefined })) as never, replace: true })}
      />
      <QueryState
        query={list}
        placeholder={
          <Card>
            <Skeleton lines={8} />
          </Card>
        }
        isEmpty={shown.length === 0}
        empty={
          <Empty title={t(unread ? 'noneUnread' : 'none')} icon={<BellOff aria-hidden="true" />}>
            <p>{t('noneText')}</p>
          </Empty>
        }
      />
      {shown.length > 0 && (
        <Card className={style.list}>
          <ul>
            {shown.map((notification) => (
              <NotificationRow key={notification.id} notification={notification} />
            ))}
          </ul>
        </Card>
      )}
      <LoadMore list={list} />
      {asking && (
        <Confirm title={t('deleteAllSure')} action={t('deleteAll')} onConfirm={removeAll} onClose={() => setAsking(false)}>
          <p>{t('deleteAllText')}</p>
        </Confirm>
      )}
    </div>
  )
}
