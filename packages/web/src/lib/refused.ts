import { useEffect, useRef } from 'react'
import { wrongField } from './doing.ts'

/**
 * What the server refused of a form, whose fields in `shown` say it themselves. Who pressed the button of a long form is led to the first of
 * them, which may be out of sight.
 */
export const useRefused = (error: unknown, shown: readonly string[]) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  const wrong = wrongField(error)
  const isOf = (field: string) => wrong?.field === field || wrong?.field.startsWith(`${field}.`) === true
  return {
    form,
    errorOf: (field: string): string | undefined => (isOf(field) ? wrong?.message : undefined),
    /** What no field says. */
    elsewhere: shown.some(isOf) ? undefined : wrong?.message,
  }
}
