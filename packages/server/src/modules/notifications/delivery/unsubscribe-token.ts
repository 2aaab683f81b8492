import { createHmac } from 'node:crypto'
import { MAIL_TYPES } from '@lyceum/contract'
import { equalInConstantTime } from '../../../secrets/timing-safe-equal.ts'
import type { MailKind } from './policy.ts'

export type UnsubscribeKind = MailKind | 'digest' | 'all'
export const UNSUBSCRIBE_KINDS: readonly UnsubscribeKind[] = [...MAIL_TYPES, 'digest', 'all']

export interface UnsubscribeClaim {
  readonly userId: number
  readonly kind: UnsubscribeKind
}

const signature = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/** A signed token naming an account and a kind of mail. It is valid as long as the server's secret. */
export const unsubscribeToken = (key: Buffer, { userId, kind }: UnsubscribeClaim): string => {
  const text = `${userId}.${kind}`
  return `${text}.${signature(key, text)}`
}

/** The content of a token; null if the signature is wrong. Does not check whether the account exists. */
export const readUnsubscribeToken = (key: Buffer, token: string): UnsubscribeClaim | null => {
  const [, text = '', id = '', kind = '', given = ''] = /^(([1-9]\d{0,15})\.([a-z_]{1,30}))\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  if (!equalInConstantTime(signature(key, text), given)) return null
  const known = UNSUBSCRIBE_KINDS.find((name) => name === kind)
  return known && Number.isSafeInteger(Number(id)) ? { userId: Number(id), kind: known } : null
}

export const unsubscribeUrl = (origin: string, key: Buffer, what: UnsubscribeClaim): string =>
  `${origin}/unsubscribe/${unsubscribeToken(key, what)}`
