import type { MAIL_TYPES, NotificationType, PUSH_TYPES } from '@lyceum/contract'

export type MailKind = (typeof MAIL_TYPES)[number]
type PushKind = (typeof PUSH_TYPES)[number]

export const MAIL_JOB = 'delivery.mail'
export const PUSH_JOB = 'delivery.push'

/** Delay of notification mails in seconds: members who are online read it before, and get no mail. */
export const MAIL_DELAY_S = 120
/** Maximum number of notification mails per member and hour; the rest is left to the digest. */
export const MAX_MAILS_PER_HOUR = 10

/** Minimum seconds between two push messages about the same notification, which collects activity in between. */
export const PUSH_INTERVAL_S = 60
/** Seconds after which a notification that becomes unread again, e.g. by a returning follower, is mailed again. */
export const MAIL_REPEAT_S = 24 * 3600

const GROUPED_TYPES: readonly NotificationType[] = ['new_comment', 'new_reply', 'new_reaction']
/** Whether a notification collects further activity until it is read. */
export const isGrouped = (type: NotificationType): boolean => GROUPED_TYPES.includes(type)

/** The preference that controls the mail. `always`: sent regardless, such as moderator decisions; null: included in digests only. */
const MAIL_KINDS: Readonly<Record<NotificationType, MailKind | 'always' | null>> = {
  new_comment: 'new_comment',
  new_reply: 'new_comment',
  new_reaction: 'new_reaction',
  new_follower: 'new_follower',
  mention: 'mention',
  space_invite: 'space_invite',
  moderation: 'always',
  space_join: null,
  course_enrollment: null,
  lesson_complete: null,
}

/** The preference that controls push messages; null: none are sent. */
const PUSH_KINDS: Readonly<Record<NotificationType, PushKind | null>> = {
  new_comment: 'new_comment',
  new_reply: 'new_comment',
  new_reaction: 'new_reaction',
  mention: 'mention',
  new_follower: null,
  space_invite: null,
  moderation: null,
  space_join: null,
  course_enrollment: null,
  lesson_complete: null,
}

export const mailKindOf = (type: NotificationType): MailKind | 'always' | null => MAIL_KINDS[type]
export const pushKindOf = (type: NotificationType): PushKind | null => PUSH_KINDS[type]

type Urgency = 'low' | 'normal' | 'high'

/** How long a device may delay the message to save battery. */
export const urgencyOf = (kind: PushKind): Urgency => (kind === 'new_reaction' ? 'low' : kind === 'mention' ? 'high' : 'normal')

/** Completes the sentence “You get this mail because …”. */
const MAIL_REASONS: Readonly<Record<MailKind | 'always', string>> = {
  new_comment: 'somebody answered what you wrote',
  new_reaction: 'somebody reacted to what you wrote',
  new_follower: 'somebody follows you or wants to',
  mention: 'somebody mentioned you',
  space_invite: 'somebody added you to a space',
  always: 'it concerns your account',
}
export const reasonOf = (kind: MailKind | 'always'): string => MAIL_REASONS[kind]

/** The label of the button in mails. */
const ACTIONS: Readonly<Record<NotificationType, string>> = {
  new_comment: 'Read the comment',
  new_reply: 'Read the reply',
  new_reaction: 'Open the post',
  new_follower: 'See the profile',
  mention: 'See where',
  space_invite: 'Visit the space',
  moderation: 'Open it',
  space_join: 'Open it',
  course_enrollment: 'Open it',
  lesson_complete: 'Open it',
}
export const actionLabel = (type: NotificationType): string => ACTIONS[type]
