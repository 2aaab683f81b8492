import { createHmac } from 'node:crypto'
import { MAIL_TYPES } from '@lyceum/contract'
import { equalInConstantTime } from '../../secrets/timing-safe-equal.ts'
import type { MailKind } from './rules.ts'

/** What somebody can unsubscribe from with one click. */
export type UnsubscribeKind = MailKind | 'digest' | 'all'
export const UNSUBSCRIBE_KINDS: readonly UnsubscribeKind[] = [...MAIL_TYPES, 'digest', 'all']

export interface Unsubscribing {
  readonly userId: number
  readonly kind: UnsubscribeKind
}

const signature = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/** Names an account and a kind of mail, signed: it goes into mails and works as long as the server's secret. */
export const unsubscribeToken = (key: Buffer, { userId, kind }: Unsubscribing): string => {
  const text = `${userId}.${kind}`
  return `${text}.${signature(key, text)}`
}

/** What the token stands for; null when it was not signed here. Says nothing about whether there is such an account. */
export const readUnsubscribeToken = (key: Buffer, token: string): Unsubscribing | null => {
  const [, text = '', id = '', kind = '', given = ''] = /^(([1-9]\d{0,15})\.([a-z_]{1,30}))\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  if (!equalInConstantTime(signature(key, text), given)) return null
  const known = UNSUBSCRIBE_KINDS.find((name) => name === kind)
  return known && Number.isSafeInteger(Number(id)) ? { userId: Number(id), kind: known } : null
}

export const unsubscribeUrl = (origin: string, key: Buffer, what: Unsubscribing): string =>
  `${origin}/unsubscribe/${unsubscribeToken(key, what)}`
