import { useQuery } from '@tanstack/react-query'
import { Flag, Link2, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BASE_PATH } from '../../../lib/base-path.ts'
import { communityQuery } from '../../../lib/community.ts'
import { pathOf } from '../../../lib/urls.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { type MenuAction, OpenMenu } from '../../../ui/menu-open.tsx'
import { copyLink, pin, removeFeed } from '../actions.ts'
import type { Feed } from '../queries.ts'
import { useFeedPermissions } from '../use-feed-permissions.ts'

const ReportDialog = lazy(() => import('../report-dialog.tsx').then(({ ReportDialog: component }) => ({ default: component })))
const Composer = lazy(() => import('../composer/composer.tsx').then(({ Composer: component }) => ({ default: component })))

export interface PostActionsProps {
  readonly feed: Feed
  /** The button the menu is anchored to; null while it is closed. */
  readonly anchor: HTMLElement | null
  readonly onClose: () => void
  readonly onRemoved?: () => void
}

/** The actions the user may perform on a post, with their dialogs. */
export const PostActions = ({ feed, anchor, onClose, onRemoved }: PostActionsProps) => {
  const { t } = useTranslation('feeds')
  const [asked, setAsked] = useState<'report' | 'delete' | 'edit'>()
  const rights = useFeedPermissions(feed)
  const community = useQuery(communityQuery)
  const done = () => setAsked(undefined)
  const actions: readonly MenuAction[] = [
    { label: t('feed.copyLink'), icon: <Link2 />, onAction: () => void copyLink(location.origin + BASE_PATH + pathOf(feed.permalink)) },
    ...(rights.edit ? [{ label: t('common:edit'), icon: <Pencil />, onAction: () => setAsked('edit') }] : []),
    ...(rights.pin
      ? [
          {
            label: t(feed.is_sticky ? 'feed.unpin' : 'feed.pin'),
            icon: feed.is_sticky ? <PinOff /> : <Pin />,
            onAction: () => void pin(feed),
          },
        ]
      : []),
    ...(!rights.own && community.data?.features.moderation
      ? [{ label: t('report.action'), icon: <Flag />, onAction: () => setAsked('report') }]
      : []),
    ...(rights.remove ? [{ label: t('common:delete'), icon: <Trash2 />, danger: true, onAction: () => setAsked('delete') }] : []),
  ]
  const remove = async () => {
    await removeFeed(feed)
    onRemoved?.()
  }
  return (
    <>
      {anchor && <OpenMenu label={t('feed.actions')} anchor={anchor} actions={actions} onClose={onClose} />}
      <Suspense>
        {asked === 'report' && <ReportDialog of="feed" id={feed.id} onClose={done} />}
        {asked === 'edit' && <Composer editing={feed} onClose={done} />}
      </Suspense>
      {asked === 'delete' && (
        <Confirm title={t('feed.deleteTitle')} action={t('common:delete')} onConfirm={remove} onClose={done}>
          <p>{t('feed.deleteHint')}</p>
        </Confirm>
      )}
    </>
  )
}
