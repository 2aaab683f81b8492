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

/** The list with what stood at one place at another, counted without it. */
export const moved = <T,>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1))

let pressed: { readonly id: string; readonly step: 1 | -1 } | null = null

/** One step up or down in a list. What moves is drawn anew elsewhere: the focus goes with it, so that one can press again. */
export const MoveButtons = ({ id, title, isFirst, isLast, onMove }: Props) => {
  const { t } = useTranslation()
  const up = useRef<HTMLButtonElement>(null)
  const down = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (pressed?.id !== id) return
    const [same, other] = pressed.step === 1 ? [down, up] : [up, down]
    pressed = null
    ;(same.current?.disabled ? other : same).current?.focus()
  })
  const move = (step: 1 | -1) => {
    pressed = { id, step }
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
