import { useEffect, useRef, useSyncExternalStore } from 'react'

/** A keyboard shortcut and its label in the list of shortcuts. */
interface Key {
  readonly says: string
  readonly run: () => void
}

const STORAGE_KEY = 'keys'
const known = new Map<string, readonly Key[]>()
const listeners = new Set<() => void>()
let version = 0

const changed = () => {
  version += 1
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const shortcutsEnabled = (): boolean => localStorage.getItem(STORAGE_KEY) !== 'off'

/** Whether shortcuts are enabled on this device. */
export const setShortcutsEnabled = (on: boolean): void => {
  if (on) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, 'off')
  changed()
}

const WRITTEN_IN = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="dialog"]'
const isWriting = (target: EventTarget | null) => target instanceof Element && target.closest(WRITTEN_IN) !== null

const press = (event: KeyboardEvent) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
  if (event.key !== '?' && !shortcutsEnabled()) return
  const own = known.get(event.key)?.at(-1)
  if (!own || document.querySelector('[role="dialog"]')) return
  event.preventDefault()
  own.run()
}

/** Registers a shortcut while the component is mounted. Shortcuts are ignored while the user types or a dialog is open. */
export const useShortcut = (key: string, says: string, run: () => void): void => {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const own: Key = { says, run: () => latest.current() }
    if (known.size === 0) addEventListener('keydown', press)
    known.set(key, [...(known.get(key) ?? []), own])
    changed()
    return () => {
      const others = known.get(key)?.filter((other) => other !== own) ?? []
      if (others.length > 0) known.set(key, others)
      else known.delete(key)
      if (known.size === 0) removeEventListener('keydown', press)
      changed()
    }
  }, [key, says])
}

/** The shortcuts of the current page, and whether they are enabled. */
export const useShortcuts = (): { readonly on: boolean; readonly keys: readonly { readonly key: string; readonly says: string }[] } => {
  useSyncExternalStore(subscribe, () => version)
  return {
    on: shortcutsEnabled(),
    keys: [...known].flatMap(([key, list]) => (list.length > 0 ? [{ key, says: list.at(-1)?.says ?? '' }] : [])),
  }
}
