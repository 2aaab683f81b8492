import type { Answers } from '@lyceum/sdk'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormSection } from '../form-kit.tsx'
import style from './settings.module.css'
import { SettingsPageForm } from './settings-form.tsx'

type Limits = NonNullable<Answers['settings']['list']['data']['limits']>['limits']
type Name = keyof Limits

const SHEETS = {
  rateLimits: [
    'posts_per_minute',
    'posts_per_hour',
    'comments_per_minute',
    'reactions_per_minute',
    'follows_per_minute',
    'uploads_per_minute',
    'reports_per_minute',
    'changes_per_minute',
  ],
  newMembers: ['new_member_hours', 'new_member_mentions_per_hour', 'new_member_links_per_hour', 'new_member_follows_per_hour'],
  registrations: [
    'registrations_per_address_per_hour',
    'registrations_per_network_per_hour',
    'registrations_per_mail_domain_per_hour',
    'unconfirmed_mails_per_day',
    'username_reservation_days',
  ],
  points: ['post_points_per_day', 'comment_points_per_day', 'reaction_points_per_day', 'helpful_points_per_day'],
  storage: ['member_storage_mb', 'unattached_storage_mb', 'total_storage_mb'],
  other: ['streams_per_member', 'streams_per_address', 'gif_searches_per_hour', 'remote_pictures_per_minute'],
} as const satisfies Record<string, readonly Name[]>
const MOST = 1_000_000_000
const MOST_DAYS = 3650

const read = async (): Promise<Limits> => {
  const { limits } = (await client.settings.list({ group: 'limits' })).data
  if (!limits) throw new Error('the server knows no limits')
  return limits.limits
}

/** Rate limits of members, IP addresses and new accounts. */
export const LimitsPage = () => {
  const { t } = useTranslation('admin')
  return (
    <SettingsPageForm
      area="limits"
      read={read}
      save={async (limits) => {
        await client.settings.save({ limits })
        return limits
      }}
    >
      {(limits, change) =>
        Object.entries(SHEETS).map(([sheet, names]) => (
          <FormSection key={sheet} title={t(`limits.${sheet}`)} hint={t(`limits.${sheet}Hint`)}>
            <div className={style.pair}>
              {names.map((name) => (
                <TextField
                  key={name}
                  label={t(`limits.${name}`)}
                  type="number"
                  min={0}
                  max={name === 'username_reservation_days' ? MOST_DAYS : MOST}
                  required
                  value={limits[name]}
                  onChange={(event) => change({ [name]: event.currentTarget.valueAsNumber || 0 })}
                />
              ))}
            </div>
          </FormSection>
        ))
      }
    </SettingsPageForm>
  )
}
