import { useMutation } from '@tanstack/react-query'
import { CalendarClock, PencilLine } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '../../../lib/optimistic.ts'
import { fullDateTime } from '../../../lib/time.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toasts.tsx'
import type { Feed } from '../queries.ts'
import { useFeedPermissions } from '../use-feed-permissions.ts'
import { publishNow } from './queries.ts'
import style from './scheduled.module.css'

const Composer = lazy(() => import('../composer/composer.tsx').then(({ Composer: component }) => ({ default: component })))

/** Opens a draft in the composer. */
const Begun = ({ feed }: { readonly feed: Feed }) => {
  const { t } = useTranslation('feeds')
  const [open, setOpen] = useState(false)
  return (
    <div className={style.plan}>
      <PencilLine aria-hidden="true" />
      <p className={style.when}>{t('drafts.private')}</p>
      <Button onClick={() => setOpen(true)}>{t('drafts.continue')}</Button>
      {open && (
        <Suspense>
          <Composer editing={feed} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** When a post will be published, with actions to publish or edit it. */
export const ScheduledNotice = ({ feed }: { readonly feed: Feed }) => {
  const { t } = useTranslation('feeds')
  const { own } = useFeedPermissions(feed)
  const publish = useMutation({ mutationFn: () => publishNow(feed), onError: (error) => toast(errorMessage(error), 'failed') })
  if (feed.status === 'draft' && own) return <Begun feed={feed} />
  if (feed.status !== 'scheduled' || !feed.scheduled_at) return null
  return (
    <div className={style.plan}>
      <CalendarClock aria-hidden="true" />
      <p className={style.when}>{t('scheduled.date', { when: fullDateTime(feed.scheduled_at) })}</p>
      {own && (
        <Button busy={publish.isPending} onClick={() => publish.mutate()}>
          {t('scheduled.publishNow')}
        </Button>
      )}
    </div>
  )
}
