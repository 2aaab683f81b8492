import { useEffect, useRef, useState } from 'react'
import { useMe } from '../../../lib/session.ts'
import type { MediaItem } from '../post/meta.ts'

/** The server deletes unused uploads after two hours. */
const UPLOADS_STAY_MS = 110 * 60_000

export interface Attachment extends MediaItem {
  /** Upload time; media that the post already has are kept anyway. */
  readonly at?: number | undefined
}

const read = <T extends object>(key: string, empty: T): T => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return empty
    const items = 'items' in stored && Array.isArray(stored.items) ? (stored.items as Attachment[]) : undefined
    const fresh = items?.filter(({ at }) => at === undefined || Date.now() - at < UPLOADS_STAY_MS)
    return { ...empty, ...stored, ...(fresh && { items: fresh }) }
  } catch {
    return empty
  }
}

const keep = (key: string, value: string | null) => {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // The storage may be full or blocked; drafts are then not saved.
  }
}

/** A draft stored on this device until it is sent or discarded. */
export const useDraft = <T extends object>(place: string, empty: T) => {
  const key = `draft:${useMe().user_id}:${place}`
  const [value, setValue] = useState<T>(() => read(key, empty))
  const blank = useRef(JSON.stringify(empty))
  const change = (part: Partial<T>) =>
    setValue((before) => {
      const next = { ...before, ...part }
      const json = JSON.stringify(next)
      keep(key, json === blank.current ? null : json)
      return next
    })
  const clear = () => {
    keep(key, null)
    setValue(empty)
  }
  return { value, change, clear, isChanged: JSON.stringify(value) !== blank.current }
}

/** Asks before leaving the page while something is unsent. */
export const useLeaveWarning = (unsent: boolean): void => {
  useEffect(() => {
    if (!unsent) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [unsent])
}

/** An idempotency key: the same for the same content, so that retries do not duplicate it. */
export const useIdempotencyKey = () => {
  const last = useRef({ content: '', key: '' })
  return (body: unknown): string => {
    const content = JSON.stringify(body)
    if (last.current.content !== content) last.current = { content, key: crypto.randomUUID() }
    return last.current.key
  }
}
