import { type SettingSheet, SettingsArea } from './form.tsx'

const SHEETS: readonly SettingSheet[] = [
  {
    title: 'sender',
    fields: [
      { key: 'from_name', kind: 'text' },
      { key: 'from_email', kind: 'email' },
      { key: 'admin_email', kind: 'email', hint: true },
    ],
  },
  {
    title: 'notices',
    fields: [
      { key: 'enable_email_notifications', kind: 'switch' },
      { key: 'enable_push_notifications', kind: 'switch' },
      { key: 'digest_frequency', kind: 'choice', options: ['daily', 'weekly', 'never'] },
    ],
  },
]

export const MailPage = () => <SettingsArea area="mail" sheets={SHEETS} />
