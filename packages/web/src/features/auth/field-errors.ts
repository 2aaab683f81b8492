import { LyceumError } from '@lyceum/sdk'
import { reasonOf, wrongField } from '../../lib/optimistic.ts'

/** Fields that a refusal is about, where it does not name one itself. */
const FIELD_OF: Readonly<Record<string, string>> = {
  invalid_username: 'username',
  username_taken: 'username',
  invalid_email: 'email',
  email_taken: 'email',
  weak_password: 'password',
  wrong_password: 'current_password',
}

/** What is to be said at a field of those that the form has, and, with `''`, about the form as a whole. */
export const wrongIn =
  (error: unknown, fields: readonly string[]) =>
  (field: string): string | undefined => {
    if (!error) return undefined
    const named = (error instanceof LyceumError && FIELD_OF[error.code]) || wrongField(error)?.field || ''
    return (fields.includes(named) ? named : '') === field ? reasonOf(error) : undefined
  }
