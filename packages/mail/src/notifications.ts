import { excerpt } from '@lyceum/content'
import { type Brand, type Item, isolateDirection, layout, type MailComponent, type MailContent } from './layout.ts'
import { textsIn } from './texts/index.ts'
import { spokenName } from './texts/names.ts'
import type { Language, NoticeFacts, NoticeReason, NoticeType, Texts } from './texts/shape.ts'

export type { NoticeFacts } from './texts/shape.ts'

const EXCERPT_LENGTH = 280
const SUBJECT_LENGTH = 120

/** The title of a notification. Warnings by moderators have a text of their own. */
export const noticeTitle = (facts: NoticeFacts, lang?: Language): string => textsIn(lang).notices.title(facts)

interface Links {
  readonly brand: Brand
  readonly lang?: Language
  readonly preferences: string
  /** Null if this mail cannot be unsubscribed from. */
  readonly unsubscribe: string | null
}

const footerLinks = ({ lang, preferences, unsubscribe }: Links) => {
  const { notices } = textsIn(lang)
  return [{ label: notices.settings, url: preferences }, ...(unsubscribe ? [{ label: notices.unsubscribe, url: unsubscribe }] : [])]
}

interface NotificationMail extends Links {
  readonly type: NoticeType
  readonly kind: NoticeReason
  readonly title: string
  /** The text, or the title if there is none. */
  readonly message: string
  readonly url: string
  readonly person: string
}

export const notificationMail = (notice: NotificationMail): MailContent => {
  const { brand, lang, type, kind, title, message, url, person } = notice
  const { notices } = textsIn(lang)
  const text = excerpt(message, EXCERPT_LENGTH)
  const isQuotable = type === 'new_comment' || type === 'new_reply' || type === 'mention'
  // For reactions and new followers, the text is the recipient's own or empty, so it is not attributed to the other person.
  const components: MailComponent[] = text === '' || message === title ? [] : [{ kind: 'quote', text, ...(isQuotable && { person }) }]
  return {
    subject: excerpt(title, SUBJECT_LENGTH),
    ...layout({
      brand,
      ...(lang && { lang }),
      title,
      preview: message === title ? brand.name : text,
      components,
      action: { label: notices.buttons[type], url, spelled: false },
      footer: notices.footer(kind, brand.name),
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
  /** The time it is sent, and the time zone whose date it shows. */
  readonly at: Date
  readonly timeZone: string
  readonly notices: readonly { readonly title: string; readonly message: string; readonly url: string; readonly person?: string }[]
  readonly moreNotices: number
  readonly notificationsUrl: string
  readonly posts: readonly DigestPost[]
  readonly spaces: readonly { readonly title: string; readonly count: number; readonly url: string }[]
}

const postItem =
  (texts: Texts['digest']) =>
  ({ title, excerpt: text, author, space, comments, reactions, url }: DigestPost): Item => ({
    title: title || excerpt(text, 80),
    written: true,
    ...(title && text && { excerpt: text }),
    detail: [
      space ? texts.authorIn(isolateDirection(author), isolateDirection(space)) : isolateDirection(author),
      ...(reactions > 0 ? [texts.reactions(reactions)] : []),
      ...(comments > 0 ? [texts.comments(comments)] : []),
    ].join(' · '),
    url,
    person: author,
  })

const section = (heading: string, items: readonly Item[]): MailComponent[] =>
  items.length > 0
    ? [
        { kind: 'heading', text: heading },
        { kind: 'items', items },
      ]
    : []

const dayOf = ({ at, timeZone }: Digest, locale: string) =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone }).format(at)

export const digestMail = (digest: Digest): MailContent => {
  const { brand, lang, frequency, notices, moreNotices, posts, spaces } = digest
  const { open, greeting, digest: texts } = textsIn(lang)
  const daily = frequency === 'daily'
  const title = texts.title(daily, brand.name)
  const unread = notices.length + moreNotices
  const told = [
    ...(unread > 0 ? [texts.unread(unread)] : []),
    ...(posts.length > 0 ? [texts.popularPosts(posts.length)] : []),
    ...(spaces.length > 0 ? [texts.newsInSpaces(spaces.length)] : []),
  ].join(', ')
  const more: Item[] = moreNotices > 0 ? [{ title: texts.more(moreNotices), url: digest.notificationsUrl }] : []
  return {
    subject: `${title} · ${dayOf(digest, texts.locale)}`,
    ...layout({
      brand,
      ...(lang && { lang }),
      title,
      preview: told,
      paragraphs: [texts.intro(greeting(spokenName(digest.displayName)), told)],
      components: [
        ...section(texts.forYou, [
          ...notices.map(({ title, message, url, person }) => ({
            title,
            ...(message !== title && { excerpt: excerpt(message, 140) }),
            url,
            ...(person && { person }),
          })),
          ...more,
        ]),
        ...section(texts.popular, posts.map(postItem(texts))),
        ...section(
          texts.inSpaces,
          spaces.map(({ title, count, url }) => ({ title, written: true, aside: texts.newPosts(count), url })),
        ),
      ],
      action: { label: open(brand.name), url: brand.url, spelled: false },
      footer: texts.footer(daily, brand.name),
      links: footerLinks(digest),
    }),
  }
}
