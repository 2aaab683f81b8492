import type { ErrorCode } from '@lyceum/contract'
import { type ActorName, asWritten, type Place, RESOLVERS, type Right, type Rights, rightsOf, SHUT_OUT } from './rights.ts'

export const STATUSES = ['published', 'draft', 'scheduled', 'pending', 'spam', 'deleted'] as const
export type Status = (typeof STATUSES)[number]
export const PRIVACIES = ['public', 'private'] as const
export type Privacy = (typeof PRIVACIES)[number]

/** A feed and what belongs to it: its place, status, audience, and whether its author's profile is open. */
export interface Fact {
  readonly place: Place
  readonly status: Status
  readonly privacy: Privacy
  readonly profile: Privacy
}

/** Who gets through: anyone who can see it, its author, or the holder of a right in its place. */
type Who = 'seer' | 'own' | Right

/** One action of an operation. Actors outside `who` get 403; actors who cannot see the object get 404 `missing`. */
export interface ObjectRule {
  readonly when?: string
  readonly missing: ErrorCode
  /** Depending on the status of the feed; `else` applies to statuses not listed. */
  readonly who: readonly Who[] | (Partial<Readonly<Record<Status, readonly Who[]>>> & { readonly else: readonly Who[] })
  /** The target if it is not the feed: its published comment, the held one, or a report, which exists independently of the feed. */
  readonly of?: 'comment' | 'held comment' | 'report'
  /** 403 without any permission to resolve reports; with one that does not apply here, 404. */
  readonly gate?: true
  readonly body?: Readonly<Record<string, unknown>>
  /** 404 for actors who can see the object but may not do this. */
  readonly veiled?: true
  /** Errors that actors who get through may receive instead of a success. */
  readonly yields?: readonly ErrorCode[]
  /** The error for the author where others get through: nobody may report themselves. */
  readonly notOwn?: string
}

const SEERS: readonly Who[] = ['seer']
const EDIT: readonly Who[] = ['own', 'feeds']
const TALK: readonly Who[] = ['own', 'comments']
const NOBODY: readonly Who[] = []
/** On published content only. */
const JOIN = { published: ['join'], else: NOBODY } as const
const HELPS = { published: TALK, else: ['comments'] } as const
const HELD = { pending: ['resolve'], spam: ['resolve'], else: NOBODY } as const
const PLANNED = { scheduled: EDIT, else: NOBODY } as const

const ofFeed = (when: string, who: ObjectRule['who'], more: Partial<ObjectRule> = {}): ObjectRule => ({
  when,
  missing: 'feed_not_found',
  who,
  ...more,
})
const ofComment = (when: string, who: ObjectRule['who'], more: Partial<ObjectRule> = {}): ObjectRule => ({
  when,
  missing: 'comment_not_found',
  of: 'comment',
  who,
  ...more,
})
const held = { of: 'held comment' } as const
const content = { missing: 'content_not_found' } as const
const absent = { missing: 'not_found' } as const
const reported = { ...absent, notOwn: '400 invalid_data' } as const

/** The actions on a feed and what belongs to it, by operation. */
export const RULES: Readonly<Record<string, readonly ObjectRule[]>> = {
  'feeds.byId': [ofFeed('', SEERS)],
  'feeds.bySlug': [ofFeed('', SEERS)],
  'feeds.update': [
    ofFeed('text', EDIT, { body: { message: 'Changed', reason: 'House rules' } }),
    ofFeed('nothing', EDIT, { body: {} }),
    ofFeed('pin', ['pin'], { body: { is_sticky: true } }),
    ofFeed('announcement', ['pin'], { body: { type: 'announcement' } }),
    ofFeed('priority', ['feature'], { body: { priority: 1 } }),
    ofFeed('picture', EDIT, { body: { featured_image: 'https://example.org/x.png' } }),
    ofFeed('privacy', ['own'], { body: { privacy: '{opposite}' } }),
    // Content that is already spam cannot be moved to spam.
    ofFeed('spam', { spam: [...EDIT, 'decide'], else: ['decide'] }, { body: { status: 'spam' } }),
    ofFeed(
      'publish',
      { published: [...EDIT, 'decide'], draft: ['own'], scheduled: EDIT, else: ['decide'] },
      { body: { status: 'published' } },
    ),
    ofFeed('back to draft', { pending: ['decide'], spam: ['decide'], else: EDIT }, { body: { status: 'draft' } }),
  ],
  'feeds.patch': [
    ofFeed('pin', ['pin'], { body: { is_sticky: true } }),
    ofFeed('priority', ['feature'], { body: { priority: 1 } }),
    ofFeed('lock', EDIT, { body: { comments_disabled: true } }),
  ],
  'feeds.revisions': [ofFeed('', EDIT, { veiled: true })],
  'feeds.remove': [ofFeed('', EDIT)],
  'reactions.toFeed': [
    ofFeed('', JOIN, { ...content, body: { type: 'like' } }),
    ofFeed('bookmark', SEERS, { body: { react_type: 'bookmark' } }),
    ofFeed('no bookmark', SEERS, { body: { react_type: 'bookmark', remove: true }, yields: ['bookmark_not_found'] }),
  ],
  'reactions.ofFeed': [ofFeed('', SEERS, content)],
  'reactions.toComment': [
    ofComment('', JOIN, { ...content, body: { type: 'like' } }),
    ofComment('held', NOBODY, { ...content, ...held, body: { type: 'like' } }),
  ],
  'reactions.ofComment': [ofComment('', SEERS, content), ofComment('held', SEERS, { ...content, ...held })],
  'reactions.remove': [ofFeed('', ['own', 'feeds', 'comments'], { missing: 'reaction_not_found' })],
  'surveys.vote': [ofFeed('', JOIN, { body: { option_slug: 'a' } })],
  'surveys.voters': [ofFeed('', ['own', 'decide'])],
  'comments.list': [ofFeed('', SEERS)],
  'comments.create': [
    ofFeed('', JOIN, { body: { comment: 'Mine' } }),
    ofFeed('reply', JOIN, { body: { comment: 'Mine', parent_id: '{comment_id}' } }),
  ],
  'comments.byId': [ofComment('', SEERS), ofComment('held', SEERS, held)],
  'comments.revisions': [ofComment('', TALK, { veiled: true }), ofComment('held', TALK, { ...held, veiled: true })],
  'comments.update': [
    ofComment('text', TALK, { body: { comment: 'Changed', reason: 'House rules' } }),
    ofComment('pin', ['comments'], { body: { is_sticky: true } }),
    ofComment('spam', ['comments', 'decide'], { body: { status: 'spam' } }),
    ofComment('text, held', TALK, { ...held, body: { comment: 'Changed', reason: 'House rules' } }),
    ofComment('publish, held', ['comments', 'decide'], { ...held, body: { status: 'published' } }),
  ],
  'comments.patch': [
    ofComment('', ['comments'], { body: { is_sticky: true } }),
    // Nothing changes, since held comments are never pinned.
    ofComment('held', [...TALK, 'decide'], { ...held, body: { is_sticky: false } }),
  ],
  'comments.remove': [ofComment('', TALK), ofComment('held', TALK, held)],
  'comments.markHelpful': [ofComment('', HELPS, { body: {} }), ofComment('held', NOBODY, { ...held, body: {} })],
  'comments.unmarkHelpful': [ofComment('', HELPS)],
  'media.get': [ofFeed('', SEERS, { missing: 'media_not_found' })],
  'media.remove': [ofFeed('', EDIT, { missing: 'media_not_found' })],
  'media.removePreview': [ofFeed('', EDIT)],
  'moderation.report': [
    ofFeed('feed', SEERS, { ...reported, body: { object_id: '{feed_id}', object_type: 'feed', reason: 'spam' } }),
    ofComment('comment', SEERS, { ...reported, body: { object_id: '{comment_id}', object_type: 'comment', reason: 'spam' } }),
    ofComment('comment, held', SEERS, {
      ...reported,
      ...held,
      body: { object_id: '{comment_id}', object_type: 'comment', reason: 'spam' },
    }),
  ],
  'moderation.update': [ofFeed('', ['resolve'], { ...absent, of: 'report', gate: true, body: { status: 'reviewed' } })],
  'moderation.remove': [ofFeed('', ['rule'], { ...absent, of: 'report' })],
  'moderation.decideFeed': [
    ofFeed('approve', HELD, { gate: true, body: { decision: 'approve' } }),
    ofFeed('reject', HELD, { gate: true, body: { decision: 'reject' } }),
  ],
  'moderation.decideComment': [
    ofComment('approve, held', ['resolve'], { ...held, gate: true, body: { decision: 'approve' } }),
    ofComment('reject, held', ['resolve'], { ...held, gate: true, body: { decision: 'reject' } }),
    ofComment('approve', NOBODY, { gate: true, body: { decision: 'approve' } }),
  ],
  'scheduledPosts.reschedule': [ofFeed('', PLANNED, { ...absent, body: { scheduled_at: '2031-01-01 00:00:00' } })],
  'scheduledPosts.publish': [ofFeed('', PLANNED, absent)],
}

/** Only scheduled posts exist for these operations. */
const PLANS: ReadonlySet<string> = new Set(['scheduledPosts.reschedule', 'scheduledPosts.publish'])

/** Whether a person can see an existing feed, given its place, privacy and status. */
export const sees = (own: boolean, rights: ReadonlySet<Right>, { status, privacy }: Fact): boolean => {
  if (!rights.has('read') || status === 'deleted') return false
  if (privacy === 'private' && !own && !rights.has('circle')) return false
  if (status === 'published' || own) return true
  if (status === 'draft') return false
  return rights.has(status === 'scheduled' ? 'feeds' : 'decide')
}

const whoFor = ({ who }: ObjectRule, status: Status): readonly Who[] =>
  'else' in who ? (who[status as keyof typeof who] ?? who.else) : who

/** The result according to the tables: `through`, or status and code of the refusal. */
export const expected = (id: string, rule: ObjectRule, actor: ActorName, fact: Fact, table: Rights = asWritten): string => {
  const out = SHUT_OUT[actor]
  if (out) return out
  const own = actor === 'author'
  const rights = rightsOf(actor, fact.place, table)
  const may = whoFor(rule, fact.status).some((one) => one === 'seer' || (one === 'own' ? own : rights.has(one)))
  if (rule.gate && !RESOLVERS.includes(actor)) return '403 rest_forbidden'
  if (rule.of === 'report') return may ? 'through' : rule.gate ? `404 ${rule.missing}` : '403 rest_forbidden'
  const seesComment = rule.of !== 'held comment' || own || rights.has('comments') || rights.has('decide')
  const isThere = !PLANS.has(id) || fact.status === 'scheduled'
  if (!isThere || !seesComment || !sees(own, rights, fact)) return `404 ${rule.missing}`
  if (may) return own && rule.notOwn ? rule.notOwn : 'through'
  return rule.gate || rule.veiled ? `404 ${rule.missing}` : '403 rest_forbidden'
}
