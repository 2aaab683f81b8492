import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import style from './reaction-summary.module.css'
import { REACTION_EMOJI, type ReactionType } from './reactions.ts'

const ReactionsDialog = lazy(() => import('./reactions-dialog.tsx').then(({ ReactionsDialog: component }) => ({ default: component })))

const MOST_FACES = 3

interface Props {
  readonly of: { readonly feed_id: number } | { readonly comment_id: number }
  readonly count: number
  /** Counts by type, most common first. */
  readonly types: readonly { readonly type: ReactionType; readonly count: number }[]
}

/** Number and types of reactions; a click shows who reacted. */
export const ReactionSummary = ({ of, count, types }: Props) => {
  const { t } = useTranslation('feeds')
  const [open, setOpen] = useState(false)
  if (count === 0) return null
  const faces = types.slice(0, MOST_FACES)
  return (
    <>
      <button
        type="button"
        className={style.summary}
        onClick={() => setOpen(true)}
        aria-label={t('feed.whoReacted', { count })}
        title={types.map(({ type, count: each }) => `${REACTION_EMOJI[type]} ${each}`).join('  ')}
      >
        <span aria-hidden="true">{faces.map(({ type }) => REACTION_EMOJI[type]).join('')}</span>
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
