import { plainText } from '@lyceum/content'
import type { api, BodyOf, RevisedField } from '@lyceum/contract'
import type { FeedRow } from '../../db/schema.ts'
import type { Meta } from './meta.ts'

export type WritableField = Exclude<keyof BodyOf<typeof api.feeds.update> | keyof BodyOf<typeof api.feeds.create>, 'feed_id' | 'reason'>
export type StoredField = WritableField & keyof FeedRow

interface FeedField {
  /**
   * What automatic moderation reads in the field: `text` is words, `address` a URL, `message` is screened as the HTML rendered from it, and
   * `nested` is JSON with words and URLs. `fixed`: the field cannot hold text.
   */
  readonly screened: 'text' | 'address' | 'message' | 'nested' | 'fixed'
  /**
   * What a change is. `content`: what only the author should write; a change sets the edit mark, and a moderator's change is recorded as a
   * revision. `audited`: the audit log names the field if a moderator changes it. `other`: neither; see `recordChanges`.
   */
  readonly change: 'content' | 'audited' | 'other'
  /** Whether full-text search finds its words. */
  readonly searched: boolean
  /** Whether it may refer to uploaded files, which are then kept as long as the feed. */
  readonly files: boolean
}

const FIXED = { screened: 'fixed', searched: false, files: false } as const

/** Everything that depends on a field that members write and `feeds` stores in a column of that name. */
export const FEED_FIELDS = {
  title: { screened: 'text', change: 'content', searched: true, files: false },
  message: { screened: 'message', change: 'content', searched: true, files: true },
  content_type: { screened: 'message', change: 'content', searched: true, files: false },
  space_id: { ...FIXED, change: 'audited' },
  status: { ...FIXED, change: 'audited' },
  type: { ...FIXED, change: 'audited' },
  featured_image: { screened: 'address', change: 'audited', searched: false, files: true },
  priority: { ...FIXED, change: 'audited' },
  scheduled_at: { ...FIXED, change: 'audited' },
  expired_at: { ...FIXED, change: 'audited' },
  /** Only the author may change it. */
  privacy: { ...FIXED, change: 'other' },
  /** Pinning has an audit entry of its own. */
  is_sticky: { ...FIXED, change: 'other' },
  meta: { screened: 'nested', change: 'content', searched: false, files: true },
} as const satisfies Record<StoredField, FeedField>

type Matching<P> = { [F in StoredField]: (typeof FEED_FIELDS)[F] extends P ? F : never }[StoredField]

const matching = <const P extends Partial<FeedField>>(wanted: P): readonly Matching<P>[] =>
  (Object.entries(FEED_FIELDS) as [StoredField, FeedField][]).flatMap(([field, rules]) =>
    Object.entries(wanted).every(([rule, value]) => rules[rule as keyof FeedField] === value) ? [field as Matching<P>] : [],
  )

/** Columns that members write. */
export const STORED_FIELDS = Object.keys(FEED_FIELDS) as readonly StoredField[]
export const AUDITED_FIELDS = matching({ change: 'audited' })
/** A field that is content needs a column in `content_revisions`. */
const CONTENT_FIELDS = matching({ change: 'content' }) satisfies readonly RevisedField[]

export const SEARCHED_FIELDS = matching({ searched: true })
export const SCREENED_FIELDS = STORED_FIELDS.filter((field) => FEED_FIELDS[field].screened !== 'fixed')
const FILE_FIELDS = matching({ files: true })
const TEXTS = matching({ screened: 'text' })
const ADDRESSES = matching({ screened: 'address' })

/** The fields as the row has them. */
export type StoredFields = Readonly<Pick<FeedRow, StoredField>>
/** What members write, apart from the place. */
export interface Fields extends Omit<StoredFields, 'space_id' | 'meta'> {
  readonly meta: Meta
}

/** What automatic moderation reads besides the HTML. */
export const screenedParts = (
  feed: Pick<Fields, 'title' | Matching<{ screened: 'text' }> | Matching<{ screened: 'address' }>> & { readonly meta: Meta },
) => ({
  title: feed.title,
  texts: TEXTS.map((field) => feed[field]),
  addresses: ADDRESSES.map((field) => feed[field]),
  meta: feed.meta,
})

/** What may refer to uploaded files. */
export const partsWithFiles = (feed: Fields): (string | null)[] =>
  FILE_FIELDS.map((field) => (field === 'meta' ? JSON.stringify(feed.meta) : feed[field]))

/** The content: what only the author should write. */
export const contentFields = (feed: Pick<Fields, Matching<{ change: 'content' }>>) =>
  Object.fromEntries(CONTENT_FIELDS.map((field) => [field, feed[field]])) as Pick<Fields, Matching<{ change: 'content' }>>

type SearchedColumn = Matching<{ screened: 'text'; searched: true }> | 'message_rendered'
export type SearchedText = Readonly<Pick<FeedRow, SearchedColumn>>

/** The columns that `searchText` needs. */
export const SEARCHED_COLUMNS: readonly SearchedColumn[] = [...matching({ screened: 'text', searched: true }), 'message_rendered']

/** The text that is indexed for full-text search. */
export const searchText = (feed: SearchedText): string =>
  SEARCHED_COLUMNS.map((column) => (column === 'message_rendered' ? plainText(feed.message_rendered) : feed[column])).join('\n')
