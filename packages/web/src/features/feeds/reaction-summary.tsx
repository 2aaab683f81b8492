import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import style from './reaction-summary.module.css'
import { FACES, isReaction } from './reactions.ts'

const ReactionsDialog = lazy(() => import('./reactions-dialog.tsx').then(({ ReactionsDialog: component }) => ({ default: component })))

const MOST_FACES = 3

interface Props {
  readonly of: { readonly feed_id: number } | { readonly comment_id: number }
  readonly count: number
  /** Reactions that are known, the newest first. */
  readonly types: readonly (string | null)[]
}

/** How many reacted, and with what; a press tells who. */
export const ReactionSummary = ({ of, count, types }: Props) => {
  const { t } = useTranslation('feeds')
  const [open, setOpen] = useState(false)
  if (count === 0) return null
  const faces = [...new Set(types.filter(isReaction))].slice(0, MOST_FACES)
  return (
    <>
      <button type="button" className={style.summary} onClick={() => setOpen(true)} aria-label={t('feed.whoReacted', { count })}>
        <span aria-hidden="true">{(faces.length > 0 ? faces : (['like'] as const)).map((type) => FACES[type]).join('')}</span>
        <span aria-hidden="true">{count}</span>
      </button>
      {open && (
        <Suspense>
          <ReactionsDialog of={of} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
