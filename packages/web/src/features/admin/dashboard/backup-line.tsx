import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../../lib/session.ts'
import { relativeTime } from '../../../lib/time.ts'
import style from './dashboard.module.css'
import { backupsQuery } from './queries.ts'

/** The state of scheduled backups in one line; nothing where they are not configured. */
export const BackupLine = () => {
  const { t } = useTranslation('admin')
  const { data } = useQuery({ ...backupsQuery, enabled: useMe().role === 'admin' })
  if (!data?.is_scheduled) return null
  const [last] = data.backups.filter(({ status }) => status !== 'running')
  const proven = data.backups.find(({ proven_at }) => proven_at !== null)?.proven_at
  const time = proven ? relativeTime(proven) : ''
  return (
    <p className={style.soft}>
      {proven ? t('backups.proven', { time }) : t('backups.never')}
      {last?.error && ` ${t('backups.failed', { error: last.error })}`}
    </p>
  )
}
