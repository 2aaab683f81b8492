import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../lib/query.ts'
import { keys } from '../../lib/query-keys.ts'
import { onStreamEvent } from '../../lib/realtime.ts'
import { unreadQuery } from './queries.ts'
import style from './unread-badge.module.css'

const MOST_SHOWN = 99

/** The live unread count. */
export const UnreadBadge = () => {
  const { t } = useTranslation()
  const { data: count = 0 } = useQuery(unreadQuery)
  useEffect(() => {
    const tell = ({ unread_count }: { readonly unread_count: number }) => queryClient.setQueryData(unreadQuery.queryKey, unread_count)
    const refetch = () => void queryClient.invalidateQueries({ queryKey: keys.notifications.lists })
    const ends = [
      onStreamEvent('ready', tell),
      onStreamEvent('unread', (data) => {
        tell(data)
        refetch()
      }),
      onStreamEvent('notification', (data) => {
        tell(data)
        refetch()
      }),
      onStreamEvent('reset', () => void queryClient.invalidateQueries()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  return (
    <span role="status" className={style.place}>
      {count > 0 && (
        <>
          <span className={style.badge} aria-hidden="true">
            {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
          </span>
          <span className="visually-hidden">{t('shell.unread', { count })}</span>
        </>
      )}
    </span>
  )
}
