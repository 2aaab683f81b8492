import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '../../lib/optimistic.ts'
import { canPush, disablePush, enablePush, isPushEnabled } from '../../lib/push.ts'
import { keys } from '../../lib/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import style from './preferences.module.css'

/** Push messages on this device. Browsers ask for permission only after a click. */
export const PushSwitch = () => {
  const { t } = useTranslation('notifications')
  const on = useQuery({ queryKey: keys.notifications.push, queryFn: isPushEnabled })
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const change = async () => {
    setBusy(true)
    setRefusal('')
    try {
      if (on.data) await disablePush()
      else if (!(await enablePush())) setRefusal(t('push.denied'))
      await on.refetch()
    } catch (error) {
      setRefusal(error instanceof DOMException ? t('push.failed') : errorMessage(error))
    }
    setBusy(false)
  }
  return (
    <Card className={style.card}>
      <h2>{t('push.title')}</h2>
      <p className={style.soft}>{t(canPush() ? (on.data ? 'push.on' : 'push.off') : 'push.cannot')}</p>
      {canPush() && (
        <Button className={style.start} busy={busy} onClick={change}>
          {t(on.data ? 'push.switchOff' : 'push.switchOn')}
        </Button>
      )}
      <ErrorMessage>{refusal}</ErrorMessage>
    </Card>
  )
}
