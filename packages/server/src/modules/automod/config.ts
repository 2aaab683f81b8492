import { fold, normalizeDomain } from '@lyceum/content/automod'
import { BLOCKED_WORD_LENGTH, type Infer, type ModerationConfig } from '@lyceum/contract'
import type { Services, WriteContext } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { type Db, statement, statementOne } from '../../db/index.ts'
import { couldBeReached } from '../../outbound/index.ts'

export type Config = Infer<typeof ModerationConfig>
export type ConfigChanges = {
  readonly [K in keyof Config]?: Config[K] extends readonly unknown[]
    ? Config[K]
    : { readonly [F in keyof Config[K]]?: Config[K][F] | null }
}

/** Nothing is held, hidden or sent by default. */
export const DEFAULT_CONFIG: Config = {
  auto_moderation: { enabled: false, spam_detection: true, profanity_filter: true, link_moderation: true },
  report_thresholds: { auto_hide_threshold: 0, auto_ban_threshold: 0 },
  moderator_notifications: { email_on_report: false, chat_webhook: '' },
  blocked_words: [],
  blocked_domains: [],
  trusted_users: [],
}

const findConfig = statementOne<{ value: string }>('select value from moderation_config where id = 1')
/** Locks the row until the transaction ends, so that concurrent changes are merged one after the other. */
const lockConfig = statementOne<{ value: string }>(
  `insert into moderation_config (id, value, updated_at) values (1, '{}', $1)
   on conflict (id) do update set updated_at = excluded.updated_at returning value`,
)
const save = statement('update moderation_config set value = $1 where id = 1')

const merged = (before: Config, changes: ConfigChanges): Config =>
  Object.fromEntries(
    Object.entries(before).map(([name, value]) => {
      const change = changes[name as keyof Config]
      if (Array.isArray(value)) return [name, change ?? value]
      return [name, { ...value, ...Object.fromEntries(Object.entries(change ?? {}).filter(([, given]) => given != null)) }]
    }),
  ) as unknown as Config

const parse = (text: string): Config => merged(DEFAULT_CONFIG, JSON.parse(text) as ConfigChanges)

export const readConfig = async (db: Db): Promise<Config> => {
  const row = await findConfig(db)
  return row ? parse(row.value) : DEFAULT_CONFIG
}

export const isTrusted = async (db: Db, userId: number): Promise<boolean> => (await readConfig(db)).trusted_users.includes(userId)

const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

/** @throws invalid_data */
const checkWords = (words: readonly string[]): string[] => {
  const given = words.map((word) => oneLine(word.normalize('NFC')))
  const bad = given.find((word) => fold(word).trim() === '' || [...word].length > BLOCKED_WORD_LENGTH)
  if (bad !== undefined) throw invalidField('blocked_words', `must be words of 1 to ${BLOCKED_WORD_LENGTH} characters`)
  return [...Map.groupBy(given, (word) => fold(word)).values()].map(([first = '']) => first)
}

/** @throws invalid_data */
const checkDomains = (domains: readonly string[]): string[] => {
  const given = domains.map((text) => ({ text, domain: normalizeDomain(text) }))
  const bad = given.find(({ domain }) => domain === '')
  if (bad) throw invalidField('blocked_domains', 'must be domain names such as spam.example')
  return [...new Set(given.map(({ domain }) => domain))]
}

const trimUrl = (url: string | null | undefined): string => (url ?? '').trim()

/** Runs before the transaction, because it resolves a host name. @throws invalid_url */
export const checkWebhook = async ({ config }: Services, { moderator_notifications: notifications }: ConfigChanges): Promise<void> => {
  const url = trimUrl(notifications?.chat_webhook)
  if (url === '' || (await couldBeReached(url, config.outboundAllow))) return
  const field = 'moderator_notifications.chat_webhook'
  throw new ApiError('invalid_url', { message: `${field} must be empty or a public https URL.`, data: { field } })
}

export const saveConfig = async ({ db, now }: WriteContext, changes: ConfigChanges): Promise<Config> => {
  const row = await lockConfig(db, [now])
  const { moderator_notifications: notifications, blocked_words, blocked_domains, trusted_users } = changes
  const after = merged(parse(row?.value ?? '{}'), {
    ...changes,
    ...(notifications?.chat_webhook !== undefined && {
      moderator_notifications: { ...notifications, chat_webhook: trimUrl(notifications.chat_webhook) },
    }),
    ...(blocked_words && { blocked_words: checkWords(blocked_words) }),
    ...(blocked_domains && { blocked_domains: checkDomains(blocked_domains) }),
    ...(trusted_users && { trusted_users: [...new Set(trusted_users)] }),
  })
  await save(db, [JSON.stringify(after)])
  return after
}
