import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from './button.tsx'
import style from './form.module.css'
import { MoveButtons, withItemMoved } from './move-buttons.tsx'

/** A list entry with a stable React key, because entries may have no name yet. */
export type Keyed<E> = E & { readonly key: string }

let last = 0
const newKey = () => String(++last)

/** Assigns keys to entries, reusing those of the previous list. */
export const keyed = <E extends object>(entries: readonly E[], before: readonly Keyed<object>[] = []): Keyed<E>[] =>
  entries.map((entry, at) => ({ ...entry, key: before[at]?.key ?? newKey() }))
export const unkeyed = <E extends object>(entries: readonly Keyed<E>[]) => entries.map(({ key: _key, ...entry }) => entry)

interface Props<E> {
  readonly entries: readonly Keyed<E>[]
  readonly blank: E
  readonly most: number
  /** Label of the add button. */
  readonly add: string
  /** Class for custom entry layouts; the buttons are in `[data-acts]`. */
  readonly look?: string | undefined
  readonly nameOf: (entry: E) => string
  readonly onChange: (entries: readonly Keyed<E>[]) => void
  readonly children: (entry: Keyed<E>, change: (part: Partial<E>) => void) => ReactNode
}

/** An editable, ordered list of form entries. */
export const EntryList = <E extends object>({ entries, blank, most, add, look, nameOf, onChange, children }: Props<E>) => {
  const { t } = useTranslation()
  const list = useRef<HTMLOListElement>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const next = useRef<'added' | 'adder'>(null)
  useEffect(() => {
    if (next.current === 'added') list.current?.lastElementChild?.querySelector('input')?.focus()
    if (next.current === 'adder') adder.current?.focus()
    next.current = null
  })
  const change = (key: string, part: Partial<E>) => onChange(entries.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)))
  const remove = (key: string) => {
    next.current = 'adder'
    onChange(entries.filter((entry) => entry.key !== key))
  }
  const append = () => {
    next.current = 'added'
    onChange([...entries, { ...blank, key: newKey() }])
  }
  return (
    <>
      {entries.length > 0 && (
        <ol ref={list} className={style.entries}>
          {entries.map((entry, at) => {
            const title = nameOf(entry)
            return (
              <li key={entry.key}>
                <fieldset className={look ?? style.entry} aria-label={title}>
                  {children(entry, (part) => change(entry.key, part))}
                  <div className={style.entryActs} data-acts>
                    <MoveButtons
                      id={entry.key}
                      title={title}
                      isFirst={at === 0}
                      isLast={at === entries.length - 1}
                      onMove={(step) => onChange(withItemMoved(entries, at, at + step))}
                    />
                    <IconButton label={t('move.remove', { title })} onClick={() => remove(entry.key)}>
                      <Trash2 aria-hidden="true" />
                    </IconButton>
                  </div>
                </fieldset>
              </li>
            )
          })}
        </ol>
      )}
      <div>
        <Button ref={adder} icon={<Plus aria-hidden="true" />} disabled={entries.length >= most} onClick={append}>
          {add}
        </Button>
      </div>
    </>
  )
}
