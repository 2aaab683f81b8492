import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '../../lib/optimistic.ts'
import { canPush, pushIsOn, switchPushOff, switchPushOn } from '../../lib/push.ts'
import { keys } from '../../lib/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Refusal } from '../../ui/error-message.tsx'
import style from './preferences.module.css'

/** Push messages on this device. Browsers ask for permission only after a click. */
export const PushSwitch = () => {
  const { t } = useTranslation('notifications')
  const on = useQuery({ queryKey: keys.notifications.push, queryFn: pushIsOn })
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const change = async () => {
    setBusy(true)
    setRefusal('')
    try {
      if (on.data) await switchPushOff()
      else if (!(await switchPushOn())) setRefusal(t('push.denied'))
      await on.refetch()
    } catch (error) {
      setRefusal(error instanceof DOMException ? t('push.failed') : reasonOf(error))
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
      <Refusal>{refusal}</Refusal>
    </Card>
  )
}
