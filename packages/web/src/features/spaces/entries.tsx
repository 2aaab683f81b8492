import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../ui/button.tsx'
import sheet from '../../ui/form.module.css'
import style from './space-form.module.css'

/** One of several, with what tells it from the others while they are moved about. */
export type Entry<T> = T & { readonly key: number }

let last = 0
const keyed = <T extends object>(one: T): Entry<T> => ({ ...one, key: ++last })

/** Several things in an order of their own, while they are changed. */
export const useEntries = <T extends object>(first: readonly T[]) => {
  const [entries, setEntries] = useState<readonly Entry<T>[]>(() => first.map(keyed))
  const move = (from: number, to: number) => {
    const next = [...entries]
    next.splice(to, 0, ...next.splice(from, 1))
    setEntries(next)
  }
  return {
    entries,
    add: (one: T) => setEntries([...entries, keyed(one)]),
    change: (key: number, part: Partial<T>) => setEntries(entries.map((one) => (one.key === key ? { ...one, ...part } : one))),
    remove: (key: number) => setEntries(entries.filter((one) => one.key !== key)),
    move,
  }
}

interface Props<T> {
  readonly of: { readonly entries: readonly Entry<T>[]; readonly move: (from: number, to: number) => void; remove: (key: number) => void }
  /** How one is called, that the buttons are about. */
  readonly name: (one: Entry<T>) => string
  readonly add: string
  readonly onAdd: () => void
  readonly most: number
  readonly children: (one: Entry<T>) => ReactNode
}

/** Fields of several things, which can be put in another order. */
export const Entries = <T,>({ of: { entries, move, remove }, name, add, onAdd, most, children }: Props<T>) => {
  const { t } = useTranslation('spaces')
  return (
    <>
      {entries.map((one, place) => (
        <fieldset key={one.key} className={style.entry}>
          <legend className="visually-hidden">{name(one)}</legend>
          {children(one)}
          <div className={style.entryActs}>
            <IconButton label={t('entry.up', { name: name(one) })} disabled={place === 0} onClick={() => move(place, place - 1)}>
              <ArrowUp aria-hidden="true" />
            </IconButton>
            <IconButton
              label={t('entry.down', { name: name(one) })}
              disabled={place === entries.length - 1}
              onClick={() => move(place, place + 1)}
            >
              <ArrowDown aria-hidden="true" />
            </IconButton>
            <IconButton label={t('entry.remove', { name: name(one) })} onClick={() => remove(one.key)}>
              <Trash2 aria-hidden="true" />
            </IconButton>
          </div>
        </fieldset>
      ))}
      <Button className={sheet.start} icon={<Plus aria-hidden="true" />} disabled={entries.length >= most} onClick={onAdd}>
        {add}
      </Button>
    </>
  )
}
