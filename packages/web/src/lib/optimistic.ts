import { LyceumError } from '@lyceum/sdk'
import i18next from 'i18next'
import { toast } from '../ui/toasts.tsx'
import { isSignedOut } from './auth-errors.ts'

/** The error message to show. Server messages are English; in other languages the message is looked up by error code. */
export const errorMessage = (error: unknown): string => {
  if (!(error instanceof LyceumError)) return i18next.t('failure.offline')
  if (error.status >= 500) return i18next.t('failure.title')
  return i18next.t(`errors:${isSignedOut(error) ? 'signed_out' : error.code}`, { defaultValue: error.message })
}

/**
 * Runs a mutation whose result is already shown. If it fails, calls `undo` and shows the error in a toast. Returns whether it succeeded.
 */
export const optimistic = async (undo: () => void, work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work()
    return true
  } catch (error) {
    undo()
    toast(errorMessage(error), 'failed')
    return false
  }
}
