import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button.tsx'

interface Props {
  /** By which it is found again at its new place. */
  readonly id: string
  readonly title: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (step: 1 | -1) => void
}

let moved: { readonly id: string; readonly step: 1 | -1 } | null = null

/** One step up or down in a list. What moves is drawn anew elsewhere: the focus goes with it, so that one can press again. */
export const MoveButtons = ({ id, title, isFirst, isLast, onMove }: Props) => {
  const { t } = useTranslation()
  const up = useRef<HTMLButtonElement>(null)
  const down = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (moved?.id !== id) return
    const [pressed, other] = moved.step === 1 ? [down, up] : [up, down]
    moved = null
    ;(pressed.current?.disabled ? other : pressed).current?.focus()
  })
  const move = (step: 1 | -1) => {
    moved = { id, step }
    onMove(step)
  }
  return (
    <>
      <IconButton ref={up} label={t('move.up', { title })} disabled={isFirst} onClick={() => move(-1)}>
        <ArrowUp aria-hidden="true" />
      </IconButton>
      <IconButton ref={down} label={t('move.down', { title })} disabled={isLast} onClick={() => move(1)}>
        <ArrowDown aria-hidden="true" />
      </IconButton>
    </>
  )
}
