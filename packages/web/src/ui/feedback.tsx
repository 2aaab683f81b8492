import { LyceumError } from '@lyceum/sdk'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '../lib/optimistic.ts'
import { Button } from './button.tsx'
import style from './feedback.module.css'
import { PageTitle } from './page-title.tsx'

/** Placeholder of loading content, in its approximate shape to avoid layout shift. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div className={style.skeleton} aria-hidden="true" data-waiting="">
    {Array.from({ length: lines }, (_, n) => n).map((n) => (
      <span key={n} className={style.line} />
    ))}
  </div>
)

interface EmptyProps {
  readonly title: string
  readonly icon?: ReactNode
  /** Whether it is the whole content of the page. */
  readonly page?: boolean
  readonly children?: ReactNode
}

const Title = ({ page = false, children }: { readonly page?: boolean; readonly children: string }) =>
  page ? (
    <>
      <PageTitle>{children}</PageTitle>
      <h1 className={style.title}>{children}</h1>
    </>
  ) : (
    <h2 className={style.title}>{children}</h2>
  )

/** Empty state with a hint or an action. */
export const Empty = ({ title, icon, page = false, children }: EmptyProps) => (
  <div className={style.empty}>
    {icon}
    <Title page={page}>{title}</Title>
    {children}
  </div>
)

interface FailureProps {
  readonly error: unknown
  readonly onRetry?: () => void
  readonly page?: boolean
}

/** Error state. Server errors include the request ID for the administrator. */
export const Failure = ({ error, onRetry, page = false }: FailureProps) => {
  const { t } = useTranslation()
  const known = error instanceof LyceumError ? error : null
  return (
    <div className={style.empty} role="alert">
      <Title page={page}>{known ? errorMessage(known) : t('failure.title')}</Title>
      {!known && <p>{t('failure.offline')}</p>}
      {known?.requestId && known.status >= 500 && <p className={style.soft}>{t('failure.requestId', { id: known.requestId })}</p>}
      {onRetry && known?.status !== 404 && <Button onClick={onRetry}>{t('failure.retry')}</Button>}
    </div>
  )
}
