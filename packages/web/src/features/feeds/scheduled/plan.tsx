import { useMutation } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '../../../lib/doing.ts'
import { whole } from '../../../lib/time.ts'
import { Button } from '../../../ui/button.tsx'
import { say } from '../../../ui/toasts.tsx'
import type { Feed } from '../queries.ts'
import { useRights } from '../rights.ts'
import { publishNow } from './queries.ts'
import style from './scheduled.module.css'

/** When a post goes out by itself; it can also go at once. */
export const Plan = ({ feed }: { readonly feed: Feed }) => {
  const { t } = useTranslation('feeds')
  const { own } = useRights(feed)
  const publish = useMutation({ mutationFn: () => publishNow(feed), onError: (error) => say(reasonOf(error), 'failed') })
  if (feed.status !== 'scheduled' || !feed.scheduled_at) return null
  return (
    <div className={style.plan}>
      <CalendarClock aria-hidden="true" />
      <p className={style.when}>{t('scheduled.when', { when: whole(feed.scheduled_at) })}</p>
      {own && (
        <Button busy={publish.isPending} onClick={() => publish.mutate()}>
          {t('scheduled.now')}
        </Button>
      )}
    </div>
  )
}
