import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { Check, Choice } from '../../../ui/field.tsx'
import { FormSection } from '../form-kit.tsx'
import { SettingsPageForm } from './settings-form.tsx'

const ALLOWED = ['can_customize_username', 'can_change_email', 'can_change_password', 'show_last_activity'] as const
const SEEN = ['members_page_status', 'profile_page_visibility', 'user_space_visibility', 'leaderboard_members_visibility'] as const
const BY = ['everybody', 'logged_in', 'admin_only'] as const

export const PrivacyPage = () => {
  const { t } = useTranslation('admin')
  return (
    <SettingsPageForm
      area="privacy"
      read={async () => (await client.settingsPages.privacy()).settings}
      save={async (settings) => (await client.settingsPages.savePrivacy({ settings })).settings}
    >
      {(page, change) => (
        <>
          <FormSection title={t('privacy.allowed')}>
            {ALLOWED.map((key) => (
              <Check
                key={key}
                label={t(`privacy.${key}`)}
                checked={page[key] === 'yes'}
                onChange={(event) => change({ [key]: event.currentTarget.checked ? 'yes' : 'no' })}
              />
            ))}
          </FormSection>
          <FormSection title={t('privacy.seen')}>
            {SEEN.map((key) => (
              <Choice
                key={key}
                label={t(`privacy.${key}`)}
                value={page[key]}
                options={BY}
                words={(option) => t(`privacy.by.${option}`)}
                onChoose={(value) => change({ [key]: value })}
              />
            ))}
          </FormSection>
        </>
      )}
    </SettingsPageForm>
  )
}
