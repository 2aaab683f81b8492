import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '../../lib/optimistic.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import sheet from '../../ui/form.module.css'
import { toast } from '../../ui/toasts.tsx'
import { refetchSpaces } from './actions.ts'

interface Props {
  readonly title: string
  readonly text: string
  /** Label of the save button. */
  readonly action: string
  readonly save: () => Promise<unknown>
  readonly children: ReactNode
}

/** A part of the settings of a space that is saved by itself. */
export const SettingsSection = ({ title, text, action, save, children }: Props) => {
  const { t } = useTranslation('spaces')
  const saving = useMutation({
    mutationFn: save,
    onSuccess: async () => {
      toast(t('saved'))
      await refetchSpaces()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <Card>
      <form className={sheet.part} onSubmit={submit}>
        <h2>{title}</h2>
        <p className={sheet.soft}>{text}</p>
        {children}
        {saving.error && <ErrorMessage>{errorMessage(saving.error)}</ErrorMessage>}
        <div className={sheet.end}>
          <Button type="submit" busy={saving.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Card>
  )
}
