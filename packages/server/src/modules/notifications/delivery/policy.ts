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

interface TypePolicy {
  /** The preference that controls the mail. `always`: sent regardless, such as moderator decisions; null: included in digests only. */
  readonly mail: MailKind | 'always' | null
  /** The preference that controls push messages; null: none are sent. */
  readonly push: PushKind | null
  /** Whether a notification collects further activity until it is read. */
  readonly isGrouped?: true
}

const POLICIES: Readonly<Record<NotificationType, TypePolicy>> = {
  new_comment: { mail: 'new_comment', push: 'new_comment', isGrouped: true },
  new_reply: { mail: 'new_comment', push: 'new_comment', isGrouped: true },
  new_reaction: { mail: 'new_reaction', push: 'new_reaction', isGrouped: true },
  new_follower: { mail: 'new_follower', push: null },
  mention: { mail: 'mention', push: 'mention' },
  space_invite: { mail: 'space_invite', push: null },
  moderation: { mail: 'always', push: null },
  space_join: { mail: null, push: null },
  course_enrollment: { mail: null, push: null },
  lesson_complete: { mail: null, push: null },
}

export const isGrouped = (type: NotificationType): boolean => POLICIES[type].isGrouped === true
export const mailKindOf = (type: NotificationType) => POLICIES[type].mail
export const pushKindOf = (type: NotificationType) => POLICIES[type].push

/** How long a device may delay the message to save battery. */
export const urgencyOf = (kind: PushKind): 'low' | 'normal' | 'high' =>
  kind === 'new_reaction' ? 'low' : kind === 'mention' ? 'high' : 'normal'
