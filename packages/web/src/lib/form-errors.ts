import { useEffect, useRef } from 'react'
import { wrongField } from './optimistic.ts'

/** What is wrong with a field, or with a part of it. */
export const errorOf = (error: unknown, field: string): string | undefined => {
  const wrong = wrongField(error)
  return wrong && (wrong.field === field || wrong.field.startsWith(`${field}.`)) ? wrong.message : undefined
}

/**
 * What the server refused of a form, whose fields in `shown` say it themselves. Who pressed the button of a long form is led to the first of
 * them, which may be out of sight.
 */
export const useRefused = (error: unknown, shown: readonly string[]) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  return {
    form,
    errorOf: (field: string) => errorOf(error, field),
    /** What no field says. */
    elsewhere: shown.some((field) => errorOf(error, field)) ? undefined : wrongField(error)?.message,
  }
}
