import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fullDateTime } from '../../../lib/time.ts'
import style from './edited.module.css'
import type { RevisionsOf } from './revisions-dialog.tsx'

const RevisionsDialog = lazy(() => import('./revisions-dialog.tsx').then(({ RevisionsDialog: component }) => ({ default: component })))

interface Props {
  readonly of: { readonly edited_at: string | null; readonly edited_by_moderator: boolean }
  readonly revisions: RevisionsOf
  /** Whether the viewer may see the versions before moderator edits. */
  readonly mayRead: boolean
  readonly className?: string | undefined
  readonly before?: string
}

/** Marks edited content and opens its earlier versions. */
export const Edited = ({ of, revisions, mayRead, className, before = '' }: Props) => {
  const { t } = useTranslation('feeds')
  const [open, setOpen] = useState(false)
  if (of.edited_at === null) return null
  const words = t(of.edited_by_moderator ? 'moderated.edited' : 'feed.edited')
  const title = fullDateTime(of.edited_at)
  return (
    <>
      {before}
      {of.edited_by_moderator && mayRead ? (
        <button
          type="button"
          className={`${style.mark} ${className ?? ''}`}
          title={title}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          {words}
          <span className="visually-hidden">: {t('revisions.open')}</span>
        </button>
      ) : (
        <span className={className} title={title}>
          {words}
        </span>
      )}
      {open && (
        <Suspense>
          <RevisionsDialog of={revisions} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
