import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import style from './toasts.module.css'

interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'done' | 'failed'
}

const SHOWN_MS = 6000
let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

const set = (next: readonly Toast[]) => {
  toasts = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number) => set(toasts.filter((toast) => toast.id !== id))

/** Shows a short message that screen readers announce and that disappears by itself. */
export const toast = (text: string, kind: Toast['kind'] = 'done'): void => {
  const id = ++last
  set([...toasts, { id, text, kind }].slice(-3))
  setTimeout(() => dismiss(id), SHOWN_MS)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Container of all toasts; rendered once in the app. */
export const Toasts = () => {
  const { t } = useTranslation()
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className={style.toasts} role="status" aria-live="polite">
      {shown.map(({ id, text, kind }) => (
        <div key={id} className={style.toast} data-kind={kind}>
          {text}
          <button type="button" onClick={() => dismiss(id)}>
            {t('close')}
          </button>
        </div>
      ))}
    </div>
  )
}
