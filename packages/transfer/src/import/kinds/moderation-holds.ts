import { QUEUE_REASONS } from '@lyceum/contract'
import type { Value } from '../../../../server/src/db/index.ts'

export const HOLD_COLUMNS = ['feed_id', 'comment_id', 'reason', 'details', 'created_at']

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The moderation queue row of pending or spam content. */
export const holdRow = (feed: number, comment: number | null, hold: Readonly<Record<string, unknown>> | undefined, at: string): Value[] => {
  const { reason, details, created_at } = hold ?? {}
  const known = (QUEUE_REASONS as readonly string[]).includes(text(reason)) ? text(reason) : 'moderator'
  const given = details !== null && typeof details === 'object' ? details : {}
  return [feed, comment, known, JSON.stringify(given), text(created_at) || at]
}

export const isHeld = (status: string): boolean => status === 'pending' || status === 'spam'
