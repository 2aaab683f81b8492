import type { Inputs } from '@lyceum/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearAccountData } from '../../lib/account-data.ts'
import { formErrors } from '../../lib/api-form.ts'
import { client } from '../../lib/client.ts'
import { resetSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import sheet from '../../ui/form.module.css'
import { toast } from '../../ui/toasts.tsx'
import style from './account.module.css'

const CONTENTS = ['anonymise', 'remove'] as const

export const DeleteAccount = () => {
  const { t } = useTranslation('account')
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const [content, setContent] = useState<NonNullable<Inputs['privacy']['deleteAccount']['content']>>('anonymise')
  const [current_password, setPassword] = useState('')
  const remove = useMutation({
    mutationFn: () => client.privacy.deleteAccount({ current_password, content }),
    onSuccess: async () => {
      await clearAccountData()
      await resetSession()
      await navigate({ to: '/sign-in' })
      toast(t('delete.deleted'))
    },
  })
  const errorOf = formErrors(remove.error, ['current_password'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    remove.mutate()
  }
  return (
    <Card className={sheet.part}>
      <h2>{t('delete.title')}</h2>
      <p className={sheet.soft}>{t('delete.text')}</p>
      <Button kind="danger" className={sheet.start} onClick={() => setOpen(true)}>
        {t('delete.action')}
      </Button>
      {open && (
        <Dialog title={t('delete.confirmTitle')} onClose={() => setOpen(false)} lightly={false}>
          <form className={sheet.part} onSubmit={submit}>
            <p>{t('delete.confirmText')}</p>
            <fieldset className={style.choices}>
              <legend>{t('delete.content')}</legend>
              {CONTENTS.map((value) => (
                <label key={value}>
                  <input type="radio" name="content" checked={content === value} onChange={() => setContent(value)} />
                  {t(`delete.contentOption.${value}`)}
                </label>
              ))}
            </fieldset>
            <TextField
              label={t('current')}
              type="password"
              value={current_password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              autoComplete="current-password"
              error={errorOf('current_password') ?? errorOf('')}
              required
            />
            <div className={sheet.end}>
              <Button kind="quiet" onClick={() => setOpen(false)}>
                {t('common:cancel')}
              </Button>
              <Button kind="danger" type="submit" busy={remove.isPending}>
                {t('delete.action')}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </Card>
  )
}
