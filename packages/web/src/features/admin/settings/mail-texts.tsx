import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { Sheet } from '../parts.tsx'
import { PageForm } from './page-form.tsx'

const MAILS = ['welcome', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'rejected'] as const

/** The words of mails that the server sends. */
export const MailTextsPage = () => {
  const { t } = useTranslation('admin')
  return (
    <PageForm
      area="mailTexts"
      read={async () => (await client.settingsPages.mailTexts()).texts}
      save={async (texts) => (await client.settingsPages.saveMailTexts({ texts })).texts}
    >
      {(page, change) =>
        MAILS.map((mail) => (
          <Sheet key={mail} title={t(`mailText.${mail}`)}>
            <TextField
              label={t('mailText.subject')}
              value={page[mail].subject}
              maxLength={200}
              onChange={(event) => change({ [mail]: { ...page[mail], subject: event.currentTarget.value } })}
            />
            <TextArea
              label={t('mailText.intro')}
              value={page[mail].intro}
              maxLength={2000}
              onChange={(event) => change({ [mail]: { ...page[mail], intro: event.currentTarget.value } })}
            />
          </Sheet>
        ))
      }
    </PageForm>
  )
}
