import { type RefObject, useEffect, useRef } from 'react'

/** Leads from the button of a long form to the first field that was refused, which may be out of sight. */
export const useWrongFocus = (error: unknown): RefObject<HTMLFormElement | null> => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  return form
}
