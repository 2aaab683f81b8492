import type { MAIL_TYPES, NotificationType, PUSH_TYPES } from '@lyceum/contract'

export type MailKind = (typeof MAIL_TYPES)[number]
export type PushKind = (typeof PUSH_TYPES)[number]

/** Seconds between a notification and its mail: who is here has seen it by then, and gets none. */
export const MAIL_DELAY_S = 120
/** Most mails about notifications that somebody gets in an hour; what is beyond waits for the digest. */
export const MAILS_AN_HOUR = 10

/** Seconds between two push messages about the same notification, which gathers what happens meanwhile. */
export const PUSH_PAUSE_S = 60
/** Seconds after which somebody is told once more of what began anew under an old notification, such as a follower who is back. */
export const MAIL_AGAIN_S = 24 * 3600

const GROUPED: readonly NotificationType[] = ['new_comment', 'new_reply', 'new_reaction']
/** Whether one notification gathers causes until it is read. */
export const isGrouped = (type: NotificationType): boolean => GROUPED.includes(type)

/** The switch that mail about a notification hangs on; what a moderator says always goes out; null: it is told in the digest alone. */
const MAIL: Readonly<Record<NotificationType, MailKind | 'always' | null>> = {
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

const PUSH: Readonly<Partial<Record<NotificationType, PushKind>>> = {
  new_comment: 'new_comment',
  new_reply: 'new_comment',
  new_reaction: 'new_reaction',
  mention: 'mention',
}

export const mailKindOf = (type: NotificationType): MailKind | 'always' | null => MAIL[type]
export const pushKindOf = (type: NotificationType): PushKind | null => PUSH[type] ?? null

export type Urgency = 'low' | 'normal' | 'high'

/** How much a device may wait for it to save its battery. */
export const urgencyOf = (kind: PushKind): Urgency => (kind === 'new_reaction' ? 'low' : kind === 'mention' ? 'high' : 'normal')

/** Why the mail came, as the end of “You get this mail because …”. */
const REASONS: Readonly<Record<MailKind | 'always', string>> = {
  new_comment: 'somebody answered what you wrote',
  new_reaction: 'somebody reacted to what you wrote',
  new_follower: 'somebody follows you or wants to',
  mention: 'somebody mentioned you',
  space_invite: 'somebody added you to a space',
  always: 'it concerns your account',
}
export const reasonOf = (kind: MailKind | 'always'): string => REASONS[kind]

const ACTIONS: Readonly<Partial<Record<NotificationType, string>>> = {
  new_comment: 'Read the comment',
  new_reply: 'Read the reply',
  new_reaction: 'Open the post',
  new_follower: 'See the profile',
  mention: 'See where',
  space_invite: 'Visit the space',
}
export const actionLabel = (type: NotificationType): string => ACTIONS[type] ?? 'Open it'
