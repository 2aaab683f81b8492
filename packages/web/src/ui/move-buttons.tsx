import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button.tsx'

interface Props {
  /** Key to restore the focus after the item has moved. */
  readonly id: string
  readonly title: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (step: 1 | -1) => void
}

/** The list with one item moved. `to` is an index in the list without the item. */
export const withItemMoved = <T,>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1))

let pressed: { readonly id: string; readonly step: 1 | -1 } | null = null

/** Buttons to move an item up or down. The item is re-rendered elsewhere, so the focus follows it. */
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
