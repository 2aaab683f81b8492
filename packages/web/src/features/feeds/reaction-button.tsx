import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import style from './reaction-button.module.css'
import { isReaction, REACTION_EMOJI, REACTIONS, type ReactionType } from './reactions.ts'

/** Duration of a long press that opens the reaction picker. */
const HELD_MS = 350

interface Props {
  readonly own: string | null
  readonly small?: boolean
  readonly onReact: (type: ReactionType) => void
}

/** Likes on a click; a long press, hover or focus opens the reaction picker. */
export const ReactionButton = ({ own, small = false, onReact }: Props) => {
  const { t } = useTranslation('feeds')
  const [open, setOpen] = useState(false)
  const [hushed, setHushed] = useState(false)
  const around = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const held = useRef(false)
  const type = isReaction(own) ? own : null

  useEffect(() => {
    if (!open) return
    const close = ({ target }: Event) => target instanceof Node && !around.current?.contains(target) && setOpen(false)
    addEventListener('pointerdown', close)
    return () => removeEventListener('pointerdown', close)
  }, [open])
  useEffect(() => () => clearTimeout(timer.current), [])

  const press = ({ pointerType }: PointerEvent) => {
    held.current = false
    if (pointerType === 'mouse') return
    timer.current = setTimeout(() => {
      held.current = true
      setOpen(true)
    }, HELD_MS)
  }
  const release = () => clearTimeout(timer.current)
  const choose = (chosen: ReactionType) => {
    setOpen(false)
    setHushed(true)
    onReact(chosen)
  }
  const like = () => {
    if (held.current) held.current = false
    else choose(type ?? 'like')
  }
  const keys = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') setHushed(true)
    if (key === 'ArrowUp') setHushed(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only handles events that bubble up from its buttons
    <div
      ref={around}
      className={style.around}
      data-open={open || undefined}
      data-hushed={hushed || undefined}
      data-small={small || undefined}
      onPointerEnter={() => setHushed(false)}
      onKeyDown={keys}
      onBlur={({ relatedTarget }) => around.current?.contains(relatedTarget) || setHushed(false)}
    >
      <button
        type="button"
        className={style.button}
        aria-pressed={type !== null}
        onPointerDown={press}
        onPointerUp={release}
        onPointerCancel={release}
        onPointerLeave={release}
        onContextMenu={(event) => held.current && event.preventDefault()}
        onClick={like}
      >
        <span aria-hidden="true" data-none={type === null || undefined}>
          {REACTION_EMOJI[type ?? 'like']}
        </span>
        <span>{t(`reaction.${type ?? 'like'}`)}</span>
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: these are buttons, not form fields */}
      <div className={style.faces} role="group" aria-label={t('feed.react')}>
        {REACTIONS.map((face) => (
          <button
            key={face}
            type="button"
            title={t(`reaction.${face}`)}
            aria-label={t(`reaction.${face}`)}
            aria-pressed={type === face}
            onClick={() => choose(face)}
          >
            {REACTION_EMOJI[face]}
          </button>
        ))}
      </div>
    </div>
  )
}
