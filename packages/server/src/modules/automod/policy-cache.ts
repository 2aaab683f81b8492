import type { ReadContext } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { readSettings } from '../settings/index.ts'
import { readConfig } from './config.ts'
import { compileWords, type WordList } from './word-filter.ts'

/** What holds at this moment for new and changed content, ready to be used. */
export interface Policy {
  /** Null: words are not looked at. */
  readonly words: WordList | null
  /** Null: domains and links are not looked at. */
  readonly domains: ReadonlySet<string> | null
  readonly spam: boolean
  readonly trusted: ReadonlySet<number>
  /** Everything new waits for a moderator. */
  readonly holdsAll: { readonly feed: boolean; readonly comment: boolean }
}

const KEYS = ['features', 'moderate_posts', 'moderate_comments', 'spam_protection', 'auto_approve_trusted_users'] as const
const SUBJECTS = ['moderation', ...KEYS.map((key) => `setting:${key}`)]

let compiled: { readonly key: string; readonly list: WordList } = { key: '[]', list: compileWords([]) }

/** The tables of the last list that was used: where nothing is cached, the list is the same from one request to the next. */
const wordList = (words: readonly string[]): WordList => {
  const key = JSON.stringify(words)
  if (compiled.key !== key) compiled = { key, list: compileWords(words) }
  return compiled.list
}

const load = async (db: Db): Promise<Policy> => {
  const config = await readConfig(db)
  const { features, moderate_posts, moderate_comments, spam_protection, auto_approve_trusted_users } = await readSettings(db, KEYS)
  const { enabled, spam_detection, profanity_filter, link_moderation } = config.auto_moderation
  const on = enabled && features.moderation
  return {
    words: on && profanity_filter && config.blocked_words.length > 0 ? wordList(config.blocked_words) : null,
    domains: on && link_moderation ? new Set(config.blocked_domains) : null,
    spam: on && spam_detection && spam_protection,
    trusted: new Set(auto_approve_trusted_users ? config.trusted_users : []),
    holdsAll: { feed: moderate_posts, comment: moderate_comments },
  }
}

/** The policy as it is now. Kept until any of its settings changes; what a transaction reads is not kept, for it may not be committed. */
export const policyOf = async ({ db, services: { caches, database } }: Pick<ReadContext, 'db' | 'services'>): Promise<Policy> => {
  const kept = caches.of<Policy>('moderation-policy', 1)
  const since = caches.now()
  const known = kept.get('', since)
  if (known) return known
  const policy = await load(db)
  if (db === database.read) kept.set('', policy, SUBJECTS, since)
  return policy
}

/** Reads the policy before a write, so that the write finds it; nothing where nothing is kept, for the write would read it again. */
export const warmPolicy = async (ctx: Pick<ReadContext, 'db' | 'services'>): Promise<void> => {
  if (ctx.services.caches.holds()) await policyOf(ctx)
}

/** Whether anything at all is looked at. */
export const isIdle = ({ words, domains, spam, holdsAll }: Policy): boolean =>
  words === null && domains === null && !spam && !holdsAll.feed && !holdsAll.comment
