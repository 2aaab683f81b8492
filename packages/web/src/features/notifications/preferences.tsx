import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { optimistic } from '../../lib/optimistic.ts'
import { queryClient } from '../../lib/query.ts'
import { Card } from '../../ui/card.tsx'
import { SelectField } from '../../ui/field.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import style from './preferences.module.css'
import { PushSwitch } from './push-switch.tsx'
import { type Preferences, preferencesQuery } from './queries.ts'

const KINDS = ['new_comment', 'new_reaction', 'mention', 'new_follower', 'space_invite'] as const
const DIGESTS = ['daily', 'weekly', 'never'] as const
type Channel = 'email_notifications' | 'push_notifications'

const save = async (before: Preferences, change: Partial<Preferences>) => {
  const key = preferencesQuery.queryKey
  queryClient.setQueryData(key, { ...before, ...change })
  await optimistic(
    () => queryClient.setQueryData(key, before),
    () => client.notifications.savePreferences({ username: 'me', ...change }),
  )
}

/** Which notifications the user gets, and by which channel. */
export const NotificationPreferencesPage = () => {
  const { t } = useTranslation('notifications')
  const query = useQuery(preferencesQuery)
  if (!query.data) return <QueryState query={query} lines={8} />
  const wanted = query.data
  const cell = (channel: Channel, kind: (typeof KINDS)[number]) => {
    const switches = wanted[channel] as Readonly<Record<string, boolean>>
    const value = switches[kind]
    if (value === undefined) return <span title={t('notOffered')}>–</span>
    return (
      <input
        type="checkbox"
        checked={value}
        aria-label={t('tell', { kind: t(`kind.${kind}`), channel: t(`channel.${channel}`) })}
        onChange={(event) => save(wanted, { [channel]: { ...switches, [kind]: event.currentTarget.checked } })}
      />
    )
  }
  return (
    <>
      <Card className={style.card}>
        <h2>{t('whatAndHow')}</h2>
        <p className={style.soft}>{t('alwaysHere')}</p>
        <table className={style.table}>
          <thead>
            <tr>
              <th scope="col">{t('about')}</th>
              <th scope="col">{t('channel.email_notifications')}</th>
              <th scope="col">{t('channel.push_notifications')}</th>
            </tr>
          </thead>
          <tbody>
            {KINDS.map((kind) => (
              <tr key={kind}>
                <th scope="row">{t(`kind.${kind}`)}</th>
                <td>{cell('email_notifications', kind)}</td>
                <td>{cell('push_notifications', kind)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Card className={style.card}>
        <SelectField
          label={t('digest')}
          hint={t('digestHint')}
          value={wanted.digest_frequency}
          onChange={(event) => save(wanted, { digest_frequency: event.currentTarget.value as Preferences['digest_frequency'] })}
        >
          {DIGESTS.map((value) => (
            <option key={value} value={value}>
              {t(`digestFrequency.${value}`)}
            </option>
          ))}
        </SelectField>
      </Card>
      <PushSwitch />
    </>
  )
}
