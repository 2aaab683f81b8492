import { type SettingSheet, SettingsArea } from './form.tsx'

const SHEETS: readonly SettingSheet[] = [
  {
    title: 'community',
    fields: [
      { key: 'site_name', kind: 'text' },
      { key: 'site_description', kind: 'area' },
      { key: 'language', kind: 'choice', options: ['en', 'de'], hint: true },
      { key: 'timezone', kind: 'text', hint: true },
    ],
  },
  {
    title: 'registration',
    fields: [
      { key: 'allow_registration', kind: 'switch' },
      { key: 'require_email_verification', kind: 'switch' },
      { key: 'approval_required', kind: 'switch', hint: true },
    ],
  },
  {
    title: 'content',
    fields: [
      { key: 'allow_comments', kind: 'switch' },
      { key: 'allow_reactions', kind: 'switch' },
      { key: 'moderate_posts', kind: 'switch' },
      { key: 'moderate_comments', kind: 'switch' },
      { key: 'spam_protection', kind: 'switch' },
      { key: 'auto_approve_trusted_users', kind: 'switch' },
    ],
  },
]

export const GeneralPage = () => <SettingsArea area="general" sheets={SHEETS} />
