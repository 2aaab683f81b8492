import { BLOCKED_WORD_LENGTH, type Infer, type ModerationConfig } from '@lyceum/contract'
import type { Services, WriteContext } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { type Db, statement, statementOne } from '../../db/index.ts'
import { couldBeReached } from '../../outbound/index.ts'
import { normalizeDomain } from './link-rules.ts'
import { fold } from './normalize-text.ts'

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

const parse = (text: string): Config => {
  const value = JSON.parse(text) as Partial<Config>
  return {
    ...DEFAULT_CONFIG,
    ...value,
    auto_moderation: { ...DEFAULT_CONFIG.auto_moderation, ...value.auto_moderation },
    report_thresholds: { ...DEFAULT_CONFIG.report_thresholds, ...value.report_thresholds },
    moderator_notifications: { ...DEFAULT_CONFIG.moderator_notifications, ...value.moderator_notifications },
  }
}

export const readConfig = async (db: Db): Promise<Config> => {
  const row = await findConfig(db)
  return row ? parse(row.value) : DEFAULT_CONFIG
}

/** Whether the member is on the list of trusted members. */
export const isTrusted = async (db: Db, userId: number): Promise<boolean> => (await readConfig(db)).trusted_users.includes(userId)

const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

const uniqueBy = <T>(list: readonly T[], keyOf: (item: T) => unknown): T[] =>
  [...new Map(list.toReversed().map((item) => [keyOf(item), item])).values()].toReversed()

/** @throws invalid_data */
const checkWords = (words: readonly string[]): string[] => {
  const given = words.map((word) => oneLine(word.normalize('NFC')))
  const bad = given.find((word) => fold(word).trim() === '' || [...word].length > BLOCKED_WORD_LENGTH)
  if (bad !== undefined) throw invalidField('blocked_words', `must be words of 1 to ${BLOCKED_WORD_LENGTH} characters`)
  return uniqueBy(given, (word) => fold(word))
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

const given = <T extends object>(part: T | undefined): Partial<T> =>
  Object.fromEntries(Object.entries(part ?? {}).filter(([, value]) => value !== undefined && value !== null)) as Partial<T>

/** Saves the given configuration: groups are merged by key, lists are replaced. @returns the whole configuration @throws invalid_data */
export const saveConfig = async ({ db, now }: WriteContext, changes: ConfigChanges): Promise<Config> => {
  const row = await lockConfig(db, [now])
  const before = parse(row?.value ?? '{}')
  const { auto_moderation, report_thresholds, moderator_notifications, blocked_words, blocked_domains, trusted_users } = changes
  const notifications = { ...before.moderator_notifications, ...given(moderator_notifications) } as Config['moderator_notifications']
  const after: Config = {
    auto_moderation: { ...before.auto_moderation, ...given(auto_moderation) } as Config['auto_moderation'],
    report_thresholds: { ...before.report_thresholds, ...given(report_thresholds) } as Config['report_thresholds'],
    moderator_notifications: {
      ...notifications,
      chat_webhook:
        moderator_notifications?.chat_webhook === undefined ? notifications.chat_webhook : trimUrl(moderator_notifications.chat_webhook),
    },
    blocked_words: blocked_words ? checkWords(blocked_words) : before.blocked_words,
    blocked_domains: blocked_domains ? checkDomains(blocked_domains) : before.blocked_domains,
    trusted_users: trusted_users ? [...new Set(trusted_users)] : before.trusted_users,
  }
  await save(db, [JSON.stringify(after)])
  return after
}
