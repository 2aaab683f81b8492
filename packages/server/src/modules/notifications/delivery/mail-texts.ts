import { excerpt } from '@lyceum/content'
import type { NotificationType } from '@lyceum/contract'
import { type Block, type Brand, type Item, isolateDirection, layout, type MailContent } from '@lyceum/mail/layout'
import { counted, greeting } from '@lyceum/mail/messages'
import { actionLabel, MAIL_REASONS, type MailKind } from './rules.ts'

const EXCERPT_LENGTH = 280
const SUBJECT_LENGTH = 120

interface Links {
  readonly brand: Brand
  readonly preferences: string
  /** Null if this mail cannot be unsubscribed from. */
  readonly unsubscribe: string | null
}

const footerLinks = ({ preferences, unsubscribe }: Links) => [
  { label: 'Notification settings', url: preferences },
  ...(unsubscribe ? [{ label: 'Unsubscribe', url: unsubscribe }] : []),
]

interface NotificationMail extends Links {
  readonly type: NotificationType
  readonly kind: MailKind | 'always'
  readonly title: string
  /** The text, or the title if there is none. */
  readonly message: string
  readonly url: string
  readonly person: string
}

export const notificationMail = (notice: NotificationMail): MailContent => {
  const { brand, type, kind, title, message, url, person } = notice
  const text = excerpt(message, EXCERPT_LENGTH)
  const isQuotable = type === 'new_comment' || type === 'new_reply' || type === 'mention'
  // For reactions and new followers, the text is the recipient's own or empty, so it is not attributed to the other person.
  const blocks: Block[] = text === '' || message === title ? [] : [{ kind: 'quote', text, ...(isQuotable && { person }) }]
  return {
    subject: excerpt(title, SUBJECT_LENGTH),
    ...layout({
      brand,
      title,
      preview: message === title ? brand.name : text,
      blocks,
      action: { label: actionLabel(type), url, spelled: false },
      footer: `You get this mail because ${MAIL_REASONS[kind]} at ${brand.name}.`,
      links: footerLinks(notice),
    }),
  }
}

export interface DigestPost {
  readonly title: string
  readonly excerpt: string
  readonly author: string
  readonly space: string | null
  readonly comments: number
  readonly reactions: number
  readonly url: string
}

export interface Digest extends Links {
  readonly frequency: 'daily' | 'weekly'
  readonly displayName: string
  /** The date it covers, formatted. */
  readonly day: string
  readonly notices: readonly { readonly title: string; readonly message: string; readonly url: string; readonly person?: string }[]
  readonly moreNotices: number
  readonly notificationsUrl: string
  readonly posts: readonly DigestPost[]
  readonly spaces: readonly { readonly title: string; readonly count: number; readonly url: string }[]
}

const postItem = ({ title, excerpt: text, author, space, comments, reactions, url }: DigestPost): Item => ({
  title: title || excerpt(text, 80),
  written: true,
  ...(title && text && { excerpt: text }),
  detail: [
    space ? `${isolateDirection(author)} in ${isolateDirection(space)}` : isolateDirection(author),
    ...(reactions > 0 ? [counted(reactions, 'reaction')] : []),
    ...(comments > 0 ? [counted(comments, 'comment')] : []),
  ].join(' · '),
  url,
  person: author,
})

const section = (heading: string, items: readonly Item[]): Block[] =>
  items.length > 0
    ? [
        { kind: 'heading', text: heading },
        { kind: 'items', items },
      ]
    : []

export const digestMail = (digest: Digest): MailContent => {
  const { brand, frequency, notices, moreNotices, posts, spaces } = digest
  const daily = frequency === 'daily'
  const title = `Your ${daily ? 'day' : 'week'} at ${brand.name}`
  const unread = notices.length + moreNotices
  const told = [
    ...(unread > 0 ? [counted(unread, 'unread notification')] : []),
    ...(posts.length > 0 ? [counted(posts.length, 'popular post')] : []),
    ...(spaces.length > 0 ? [`news in ${counted(spaces.length, 'space')}`] : []),
  ].join(', ')
  const more: Item[] = moreNotices > 0 ? [{ title: `… and ${moreNotices} more`, url: digest.notificationsUrl }] : []
  return {
    subject: `${title} · ${digest.day}`,
    ...layout({
      brand,
      title,
      preview: told,
      paragraphs: [`${greeting(digest.displayName)} here is what you may have missed: ${told}.`],
      blocks: [
        ...section('For you', [
          ...notices.map(({ title, message, url, person }) => ({
            title,
            ...(message !== title && { excerpt: excerpt(message, 140) }),
            url,
            ...(person && { person }),
          })),
          ...more,
        ]),
        ...section('Popular posts', posts.map(postItem)),
        ...section(
          'New in your spaces',
          spaces.map(({ title, count, url }) => ({ title, written: true, aside: counted(count, 'new post'), url })),
        ),
      ],
      action: { label: `Open ${brand.name}`, url: brand.url, spelled: false },
      footer: `You get this mail ${daily ? 'every morning' : 'on Mondays'} when there is something to tell at ${brand.name}.`,
      links: footerLinks(digest),
    }),
  }
}
