import { LyceumError } from '@lyceum/sdk'
import { errorMessage, wrongField } from '../../lib/optimistic.ts'

/** The field of an error code whose response does not name one. */
const FIELD_OF: Readonly<Record<string, string>> = {
  invalid_username: 'username',
  username_taken: 'username',
  invalid_email: 'email',
  email_taken: 'email',
  weak_password: 'password',
  wrong_password: 'current_password',
}

/** Error messages by field; `''` is the form as a whole. Fields the form does not have count as the form. */
export const authFieldErrors =
  (error: unknown, fields: readonly string[]) =>
  (field: string): string | undefined => {
    if (!error) return undefined
    const named = (error instanceof LyceumError && FIELD_OF[error.code]) || wrongField(error)?.field || ''
    return (fields.includes(named) ? named : '') === field ? errorMessage(error) : undefined
  }
