import { LyceumError } from '@lyceum/sdk'
import { useEffect, useRef, useState } from 'react'
import { toast } from '../ui/toasts.tsx'
import { errorMessage } from './optimistic.ts'

/** The field of an error code whose response does not name one. */
const FIELD_OF_CODE: Readonly<Record<string, string>> = {
  invalid_username: 'username',
  username_taken: 'username',
  invalid_email: 'email',
  email_taken: 'email',
  weak_password: 'password',
  wrong_password: 'current_password',
}

export interface FieldError {
  /** Empty: the form as a whole. */
  readonly field: string
  readonly message: string
}

/** The form field an error refers to and its message. */
export const fieldErrorOf = (error: unknown): FieldError | null => {
  if (!error) return null
  const data: Readonly<Record<string, unknown>> = error instanceof LyceumError ? error.data : {}
  const named = data['field'] ?? Object.keys((data['errors'] as object | undefined) ?? {})[0] ?? data['key']
  const field = (error instanceof LyceumError && FIELD_OF_CODE[error.code]) || named
  return { field: typeof field === 'string' ? field : '', message: errorMessage(error) }
}

/** Fields that display their own errors: a list of names, which include their subfields, or a test of the name. */
type Fields = readonly string[] | ((name: string) => boolean)

const displayedBy = (fields: Fields, name: string): string | undefined => {
  if (typeof fields === 'function') return fields(name) ? name : undefined
  return fields.find((field) => name === field || name.startsWith(`${field}.`))
}

/** Error messages by field. `''` is the form as a whole, which also gets the errors that no field displays. */
export const formErrors =
  (error: unknown, fields: Fields) =>
  (field: string): string | undefined => {
    const failed = fieldErrorOf(error)
    return failed && (displayedBy(fields, failed.field) ?? '') === field ? failed.message : undefined
  }

interface Options {
  readonly fields?: Fields
  /** The error of a mutation that is not started with `run`. */
  readonly error?: unknown
}

/** State of a form that is sent to the API. After a failure the first invalid field gets the focus, because it may be out of view. */
export const useApiForm = ({ fields = [], error: mutationError = null }: Options = {}) => {
  const ref = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [ownError, setOwnError] = useState<unknown>(null)
  const error = mutationError ?? ownError
  useEffect(() => {
    if (error) ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  /** Runs the request, and shows `done` in a toast if it succeeded. Returns whether it did. */
  const run = async (work: () => Promise<unknown>, done?: string): Promise<boolean> => {
    setBusy(true)
    setOwnError(null)
    try {
      await work()
      if (done) toast(done)
      return true
    } catch (failure) {
      setOwnError(failure)
      return false
    } finally {
      setBusy(false)
    }
  }
  const errorOf = formErrors(error, fields)
  return { ref, busy, error, run, errorOf, formError: errorOf(''), clearError: () => setOwnError(null) }
}
export type ApiForm = ReturnType<typeof useApiForm>
