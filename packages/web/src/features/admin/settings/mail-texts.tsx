import type { Answers } from '@lyceum/sdk'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { Card } from '../../../ui/card.tsx'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { Tag } from '../form-kit.tsx'
import style from './settings.module.css'
import { SettingsPageForm } from './settings-form.tsx'

const MAILS = ['welcome', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'rejected'] as const
type Words = Answers['settingsPages']['mailTexts']['texts'][(typeof MAILS)[number]]

interface MailProps {
  readonly title: string
  readonly words: Words
  readonly onChange: (words: Words) => void
}

const Mail = ({ title, words, onChange }: MailProps) => {
  const { t } = useTranslation('admin')
  const own = Boolean(words.subject || words.intro)
  const [open] = useState(own)
  return (
    <Card>
      <details className={style.mail} open={open}>
        <summary>
          <h2>{title}</h2>
          {own && <Tag kind="good">{t('mailText.customized')}</Tag>}
          <ChevronDown aria-hidden="true" />
        </summary>
        <TextField
          label={t('mailText.subject')}
          value={words.subject}
          maxLength={200}
          onChange={(event) => onChange({ ...words, subject: event.currentTarget.value })}
        />
        <TextArea
          label={t('mailText.intro')}
          value={words.intro}
          maxLength={2000}
          onChange={(event) => onChange({ ...words, intro: event.currentTarget.value })}
        />
      </details>
    </Card>
  )
}

export const MailTextsPage = () => {
  const { t } = useTranslation('admin')
  return (
    <SettingsPageForm
      area="mailTexts"
      read={async () => (await client.settingsPages.mailTexts()).texts}
      save={async (texts) => (await client.settingsPages.saveMailTexts({ texts })).texts}
    >
      {(page, change) =>
        MAILS.map((mail) => (
          <Mail key={mail} title={t(`mailText.${mail}`)} words={page[mail]} onChange={(words) => change({ [mail]: words })} />
        ))
      }
    </SettingsPageForm>
  )
}
