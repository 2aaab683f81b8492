import { useEffect, useRef } from 'react'
import { wrongField } from './optimistic.ts'

/** The error message of a field or one of its subfields. */
export const errorOf = (error: unknown, field: string): string | undefined => {
  const wrong = wrongField(error)
  return wrong && (wrong.field === field || wrong.field.startsWith(`${field}.`)) ? wrong.message : undefined
}

/**
 * Error state of a form. Fields in `shown` display their own errors. After a failed submit, the first invalid field gets the focus, because
 * it may be out of view.
 */
export const useRefused = (error: unknown, shown: readonly string[]) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  return {
    form,
    errorOf: (field: string) => errorOf(error, field),
    /** The error that no field displays. */
    elsewhere: shown.some((field) => errorOf(error, field)) ? undefined : wrongField(error)?.message,
  }
}
