import type { NotificationType } from '@lyceum/contract'
import { excerpt } from '../../content/plain-text.ts'
import { apart, type Block, type Brand, type Item, type Letter, layout } from '../../mail/layout.ts'
import { greeting } from '../../mail/messages.ts'
import { actionLabel, type MailKind, reasonOf } from './rules.ts'

const EXCERPT = 280
const SUBJECT = 120

interface Links {
  readonly brand: Brand
  readonly preferences: string
  /** Null: this mail cannot be unsubscribed from. */
  readonly unsubscribe: string | null
}

const footerLinks = ({ preferences, unsubscribe }: Links) => [
  { label: 'Choose what you are told', url: preferences },
  ...(unsubscribe ? [{ label: 'Unsubscribe', url: unsubscribe }] : []),
]

export interface Notice extends Links {
  readonly type: NotificationType
  readonly kind: MailKind | 'always'
  readonly title: string
  /** What was written, or the title again where nothing was. */
  readonly message: string
  readonly url: string
  /** Who wrote it. */
  readonly person: string
}

/** About one notification. */
export const noticeMail = (notice: Notice): Letter => {
  const { brand, type, kind, title, message, url, person } = notice
  const text = excerpt(message, EXCERPT)
  const said = type === 'new_comment' || type === 'new_reply' || type === 'mention'
  // Of reactions and new followers the words shown are the reader's own, or nobody's.
  const blocks: Block[] = text === '' || message === title ? [] : [{ kind: 'quote', text, ...(said && { person }) }]
  return {
    subject: excerpt(title, SUBJECT),
    ...layout({
      brand,
      title,
      preview: message === title ? brand.name : text,
      blocks,
      action: { label: actionLabel(type), url, spelled: false },
      footer: `You get this mail because ${reasonOf(kind)} at ${brand.name}.`,
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
  /** The day it is about, in words. */
  readonly day: string
  readonly notices: readonly { readonly title: string; readonly message: string; readonly url: string; readonly person?: string }[]
  /** Unread ones beyond those. */
  readonly moreNotices: number
  readonly notificationsUrl: string
  readonly posts: readonly DigestPost[]
  readonly spaces: readonly { readonly title: string; readonly count: number; readonly url: string }[]
}

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

const postItem = ({ title, excerpt: text, author, space, comments, reactions, url }: DigestPost): Item => ({
  title: title || excerpt(text, 80),
  written: true,
  ...(title && text && { excerpt: text }),
  detail: [
    space ? `${apart(author)} in ${apart(space)}` : apart(author),
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

/** What is unread and new, in one mail. */
export const digestMail = (digest: Digest): Letter => {
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
