import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { BASE_PATH } from '../lib/base-path.ts'
import { Failure } from '../ui/feedback.tsx'
import style from './shell.module.css'

/** Shown if the app cannot start, usually because it is offline. Restarts when the browser is online again. */
export const Unreachable = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation()
  const router = useRouter()
  useEffect(() => {
    const start = () => void router.invalidate()
    addEventListener('online', start)
    return () => removeEventListener('online', start)
  }, [router])
  return (
    <div className={style.shell}>
      <header className={style.header}>
        <span className={style.brand}>
          <img src={`${BASE_PATH}/icon.svg`} alt="" width={32} height={32} />
          <span>Lyceum</span>
        </span>
      </header>
      {!navigator.onLine && (
        <p className={style.offline} role="status">
          {t('shell.offline')}
        </p>
      )}
      <main id="content" className={style.main} tabIndex={-1}>
        <Failure error={error} onRetry={() => void router.invalidate()} page />
      </main>
    </div>
  )
}
