import { compileWords, type WordList } from '@lyceum/content/automod'
import type { ReadContext } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { cachedFromSettings, readSettings } from '../settings/index.ts'
import { readConfig } from './config.ts'

/** The moderation policy for new and changed content, compiled for use. */
export interface Policy {
  /** Null: words are not checked. */
  readonly words: WordList | null
  /** Null: domains and links are not checked. */
  readonly domains: ReadonlySet<string> | null
  readonly spam: boolean
  readonly trusted: ReadonlySet<number>
  /** All new content waits for a moderator. */
  readonly holdAll: { readonly feed: boolean; readonly comment: boolean }
}

const KEYS = ['features', 'moderate_posts', 'moderate_comments', 'spam_protection', 'auto_approve_trusted_users'] as const
const TAGS = ['moderation', ...KEYS.map((key) => `setting:${key}`)]

let compiled: { readonly key: string; readonly list: WordList } = { key: '[]', list: compileWords([]) }

/** Reuses the compiled list while the words are unchanged, even where nothing is cached. */
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
    holdAll: { feed: moderate_posts, comment: moderate_comments },
  }
}

type PolicyContext = Pick<ReadContext, 'db' | 'services' | 'snapshot'>

export const policyOf = async (ctx: PolicyContext): Promise<Policy> =>
  cachedFromSettings(ctx, 'moderation policy', (track) => {
    track.tag(...TAGS)
    return load(ctx.db)
  })

/** Reads the policy before a write, so that the write finds it in the cache; does nothing if the cache is not usable. */
export const warmPolicy = async (ctx: PolicyContext): Promise<void> => {
  if (ctx.snapshot.canStore) await policyOf(ctx)
}

export const isInactive = ({ words, domains, spam, holdAll }: Policy): boolean =>
  words === null && domains === null && !spam && !holdAll.feed && !holdAll.comment
