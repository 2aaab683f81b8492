import { LyceumError } from '@lyceum/sdk'
import i18next from 'i18next'
import { say } from '../ui/toasts.tsx'
import { isSignedOut } from './auth-errors.ts'

/** Why something was not done, in words. The server's own are English; it says most in detail what is wrong. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof LyceumError)) return i18next.t('failure.offline')
  if (error.status >= 500) return i18next.t('failure.title')
  return i18next.t(`errors:${isSignedOut(error) ? 'signed_out' : error.code}`, { defaultValue: error.message })
}

/** What is wrong with which field of a form; `''` stands for the form as a whole. */
export const wrongField = (error: unknown): { readonly field: string; readonly message: string } | null => {
  if (!error) return null
  const data: Readonly<Record<string, unknown>> = error instanceof LyceumError ? error.data : {}
  const { field = Object.keys((data['errors'] as object | undefined) ?? {})[0] ?? data['key'] } = data
  return { field: typeof field === 'string' ? field : '', message: reasonOf(error) }
}

/** Shows it as done at once: `undo` is called, and why is said, where the server refuses. Tells whether it was done. */
export const optimistic = async (undo: () => void, work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work()
    return true
  } catch (error) {
    undo()
    say(reasonOf(error), 'failed')
    return false
  }
}
