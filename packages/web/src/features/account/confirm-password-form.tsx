import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../../lib/api-form.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Check, TextField } from '../../ui/field.tsx'
import sheet from '../../ui/form.module.css'
import { toast } from '../../ui/toasts.tsx'

interface Props {
  readonly title: string
  readonly text?: string
  /** The field to change. */
  readonly field: string
  readonly label: string
  readonly hint?: string
  readonly type: 'password' | 'email' | 'text'
  readonly autoComplete: string
  readonly value?: string
  readonly action: string
  readonly done: string
  /** An optional additional choice. */
  readonly option?: { readonly label: string; readonly hint?: string }
  /** Returns a message to show instead of `done`. */
  readonly save: (value: string, current_password: string, chosen: boolean) => Promise<string | undefined>
}

/** A form that requires the current password. */
export const ConfirmPasswordForm = ({
  title,
  text,
  field,
  label,
  hint,
  type,
  autoComplete,
  value: first = '',
  action,
  done,
  option,
  save,
}: Props) => {
  const { t } = useTranslation('account')
  const [value, setValue] = useState(first)
  const [current, setCurrent] = useState('')
  const [chosen, setChosen] = useState(false)
  const change = useMutation({
    mutationFn: () => save(value, current, chosen),
    onSuccess: (said) => {
      toast(said ?? done)
      setCurrent('')
      if (type === 'password') setValue('')
    },
  })
  const errorOf = formErrors(change.error, ['current_password', field])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Card>
      <form className={sheet.part} onSubmit={submit}>
        <h2>{title}</h2>
        {text && <p className={sheet.soft}>{text}</p>}
        <div className={sheet.pair}>
          <TextField
            label={label}
            {...(hint && { hint })}
            type={type}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            autoComplete={autoComplete}
            autoCapitalize="none"
            error={errorOf(field)}
            required
          />
          <TextField
            label={t('current')}
            type="password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            autoComplete="current-password"
            error={errorOf('current_password')}
            required
          />
        </div>
        {option && <Check {...option} checked={chosen} onChange={(event) => setChosen(event.currentTarget.checked)} />}
        <ErrorMessage>{errorOf('')}</ErrorMessage>
        <Button type="submit" className={sheet.start} busy={change.isPending}>
          {action}
        </Button>
      </form>
    </Card>
  )
}
