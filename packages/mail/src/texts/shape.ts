import type { Brand } from '../brand.ts'

/** Languages that mails are written in. */
export type Language = 'en' | 'de'

export interface Recipient {
  readonly community: string
  readonly brand?: Brand
  /** Default: English. */
  readonly lang?: Language
  readonly displayName: string
  readonly username: string
  /** Configured subject and main paragraphs, with the placeholders {community}, {name} and {username}. Empty: the default. */
  readonly words?: { readonly subject: string; readonly intro: string }
}

/** A mail to the owner of an account. It begins with a greeting. */
export interface AccountMail {
  readonly subject: string
  readonly title: string
  /** The paragraphs between the greeting and the button; the configured ones replace them. */
  readonly intro: readonly string[]
  /** Further paragraphs, which are not configurable. */
  readonly more?: readonly string[]
  /** The label of a button that leads to `url`. */
  readonly button?: string
  readonly footer?: string
}

export interface Revoked {
  readonly sessions: number
  readonly application_passwords: number
  readonly exports: number
}

type Linked = Recipient & { readonly url: string }

/** What each mail to the owner of an account says. */
export interface AccountMails {
  readonly resetPassword: Linked & { validMinutes: number }
  readonly verifyEmail: Linked & { validHours: number }
  readonly approvalRequested: Linked & { applicant: string }
  readonly webhookDisabled: Linked & { webhook: string }
  readonly rejected: Recipient & { reason: string }
  readonly welcome: Linked & { approved?: boolean }
  readonly accountDeleted: Recipient & { content: 'anonymise' | 'remove'; byAdmin: boolean }
  readonly exportReady: Linked & { validDays: number }
  readonly passwordChanged: Linked & { revoked?: Revoked }
  /** `from`: the IP address, or null for the operator. */
  readonly applicationPassword: Linked & { name: string; from: string | null; at: string }
  readonly newAddress: Linked & { validHours: number }
  readonly emailChanged: Linked & { newEmail: string; validDays?: number }
  readonly knownAddress: Linked
  readonly postDue: Linked & { post: string; at: string }
}

export type NoticeType =
  | 'new_comment'
  | 'new_reply'
  | 'new_reaction'
  | 'new_follower'
  | 'mention'
  | 'space_invite'
  | 'space_join'
  | 'course_enrollment'
  | 'lesson_complete'
  | 'moderation'

/** What the title of a notification is built from. */
export interface NoticeFacts {
  readonly type: NoticeType
  /** Name of the latest actor. */
  readonly name: string
  /** Number of actors. */
  readonly count: number
  readonly of: 'feed' | 'comment' | 'other'
  readonly feed: string
  readonly comment: string
  readonly place: string
  readonly pending: boolean
  /** The mention was `@everyone`. */
  readonly everyone: boolean
}

/** The preference that controls a mail; `always`: it is sent regardless. */
export type NoticeReason = 'new_comment' | 'new_reaction' | 'new_follower' | 'mention' | 'space_invite' | 'always'

export interface Report {
  readonly object_type: 'feed' | 'comment' | 'user'
  /** Such as `hate_speech`. */
  readonly reason: string
}

type ByCount = (count: number) => string

/** All texts of mails in one language. */
export interface Texts {
  readonly greeting: (name: string) => string
  readonly orOpen: string
  readonly open: (community: string) => string
  /** Why the recipient got a mail about their account. */
  readonly accountFooter: (to: Pick<Recipient, 'community' | 'username'>) => string
  readonly accountMails: { readonly [Kind in keyof AccountMails]: (to: AccountMails[Kind]) => AccountMail }
  readonly test: { readonly title: string; readonly subject: (community: string) => string; readonly footer: string } & {
    readonly paragraphs: (community: string, sentAt: string) => readonly string[]
  }
  readonly report: { readonly title: (report: Report) => string; readonly text: string; readonly button: string } & {
    readonly footer: (community: string) => string
  }
  readonly notices: {
    readonly settings: string
    readonly unsubscribe: string
    readonly title: (facts: NoticeFacts) => string
    readonly buttons: Readonly<Record<NoticeType, string>>
    readonly footer: (reason: NoticeReason, community: string) => string
  }
  readonly digest: {
    readonly locale: string
    readonly title: (daily: boolean, community: string) => string
    readonly intro: (greeting: string, news: string) => string
    readonly footer: (daily: boolean, community: string) => string
    readonly forYou: string
    readonly popular: string
    readonly inSpaces: string
    readonly authorIn: (author: string, space: string) => string
    readonly more: ByCount
    readonly unread: ByCount
    readonly popularPosts: ByCount
    readonly newsInSpaces: ByCount
    readonly newPosts: ByCount
    readonly reactions: ByCount
    readonly comments: ByCount
  }
}
