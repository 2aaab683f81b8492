import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiForm } from '../../lib/api-form.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import style from './form-kit.module.css'

/** Page header: title, description and the main action. */
export const PageHeader = ({
  title,
  about,
  children,
}: {
  readonly title: string
  readonly about?: string
  readonly children?: ReactNode
}) => (
  <header className={style.head}>
    <div>
      <PageTitle>{title}</PageTitle>
      <h1>{title}</h1>
      {about && <p>{about}</p>}
    </div>
    {children && <div className={style.acts}>{children}</div>}
  </header>
)

interface SheetProps {
  readonly title: string
  readonly hint?: string
  /** Actions for the whole section, next to its heading. */
  readonly acts?: ReactNode
  readonly children: ReactNode
}

/** A section of an admin page with a heading. */
export const FormSection = ({ title, hint, acts, children }: SheetProps) => (
  <Card className={style.sheet}>
    <header className={style.top}>
      <h2>{title}</h2>
      {acts && <div className={style.acts}>{acts}</div>}
      {hint && <p className={style.soft}>{hint}</p>}
    </header>
    {children}
  </Card>
)

interface FormProps {
  readonly form: ApiForm
  readonly onSave: () => void
  readonly children: ReactNode
  readonly action?: string
}

/** A form that is saved as a whole. */
export const SaveForm = ({ form, onSave, children, action }: FormProps) => {
  const { t } = useTranslation()
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSave()
  }
  return (
    <form ref={form.ref} className={style.form} onSubmit={send}>
      {children}
      <ErrorMessage>{form.formError}</ErrorMessage>
      <div className={style.end}>
        <Button kind="primary" type="submit" busy={form.busy}>
          {action ?? t('save')}
        </Button>
      </div>
    </form>
  )
}

/** A status label. */
export const Tag = ({
  kind = 'plain',
  children,
}: {
  readonly kind?: 'plain' | 'good' | 'warn' | 'danger'
  readonly children: ReactNode
}) => (
  <span className={style.tag} data-kind={kind}>
    {children}
  </span>
)
