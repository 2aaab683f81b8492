import { digestMail, notificationMail } from '@lyceum/mail/notifications'
import {
  accountDeletedMail,
  applicationPasswordMail,
  approvalRequestedMail,
  emailChangedMail,
  exportReadyMail,
  knownAddressMail,
  newAddressMail,
  passwordChangedMail,
  rejectedMail,
  resetPasswordMail,
  testMail,
  verifyEmailMail,
  webhookDisabledMail,
  welcomeMail,
} from '@lyceum/mail/transactional-mails'
import { Parser } from 'htmlparser2'
import { confirmPage, donePage, unknownPage } from '../../server/src/modules/notifications/delivery/unsubscribe-page.ts'
import { indexPage } from '../../server/src/modules/privacy/export-index-html.ts'
import { certificatePage, unknownCertificatePage } from '../../server/src/modules/progress/certificate-page.ts'

export interface Paper {
  readonly html: string
  /** Its content security policy; mails have none. */
  readonly policy: string | null
}

const url = 'https://garden.example'
const mail = ({ html }: { html: string }): Paper => ({ html, policy: null })
const page = ({ html, policy }: { html: string; policy: string }): Paper => ({ html, policy })

/** Every page and mail that the server writes as HTML itself, with the text wherever user input appears. */
export const papersOf = (text: string): Readonly<Record<string, Paper>> => {
  const brand = { name: text, color: '#2f7d4f', url, footer: text }
  const links = { brand, preferences: `${url}/settings/notifications`, unsubscribe: `${url}/unsubscribe/x` }
  const to = { community: text, brand, displayName: text, username: text, url }
  const worded = { ...to, words: { subject: text, intro: `${text}\n\n{community} {name} {username}` } }
  const notice = { ...links, kind: 'new_comment', url, person: text } as const
  const item = { title: text, message: `${text} and more`, url, person: text }
  const post = { title: text, excerpt: text, author: text, space: text, comments: 1, reactions: 2, url }
  const digest = {
    ...links,
    displayName: text,
    at: new Date('2026-03-09T12:00:00Z'),
    timeZone: 'UTC',
    moreNotices: 2,
    notificationsUrl: url,
    spaces: [{ title: text, count: 2, url }],
  }
  return {
    'reset password': mail(resetPasswordMail({ ...to, validMinutes: 60 })),
    'reset password in other words': mail(resetPasswordMail({ ...worded, validMinutes: 60 })),
    'verify email': mail(verifyEmailMail({ ...worded, validHours: 24 })),
    'approval requested': mail(approvalRequestedMail({ ...to, applicant: text })),
    'webhook given up': mail(webhookDisabledMail({ ...to, webhook: text })),
    rejected: mail(rejectedMail({ ...worded, reason: text })),
    welcome: mail(welcomeMail(worded)),
    'email changed': mail(emailChangedMail({ ...worded, newEmail: `${text}@example.org` })),
    'password changed': mail(passwordChangedMail(worded)),
    'application password': mail(applicationPasswordMail({ ...to, name: text, from: text, at: text })),
    'new address': mail(newAddressMail({ ...to, validHours: 48 })),
    'known address': mail(knownAddressMail(to)),
    'account deleted': mail(accountDeletedMail({ ...to, content: 'remove', byAdmin: true })),
    'export ready': mail(exportReadyMail({ ...to, validDays: 7 })),
    test: mail(testMail({ brand, sentAt: text })),
    comment: mail(notificationMail({ ...notice, type: 'new_comment', title: text, message: `${text} and more` })),
    mention: mail(notificationMail({ ...notice, type: 'mention', title: `${text} mentioned you`, message: text })),
    follower: mail(notificationMail({ ...notice, type: 'new_follower', title: text, message: text })),
    'daily digest': mail(digestMail({ ...digest, frequency: 'daily', notices: [item], posts: [post, { ...post, title: '' }] })),
    'weekly digest': mail(digestMail({ ...digest, frequency: 'weekly', notices: [item], posts: [{ ...post, space: null }] })),
    certificate: page(
      certificatePage(brand, {
        certificate_id: text,
        student_name: text,
        course_title: text,
        issued_at: '2026-03-10 12:00:00',
        certificate_url: text,
      }),
    ),
    'unknown certificate': page(unknownCertificatePage(brand)),
    unsubscribe: page(confirmPage(brand, 'mention')),
    unsubscribed: page(donePage(brand, 'mention', { preferences: url, everything: url })),
    'unknown link': page(unknownPage(brand, url)),
    'index of an archive': {
      html: indexPage({
        account: { display_name: text, username: text, bio: text, social_links: { twitter: text } } as never,
        now: text,
        origin: text,
        sections: [],
        counts: new Map(),
      }),
      policy: null,
    },
  }
}

/** Attributes with URL values. URLs that contain the text are listed as such. */
const LEADS = new Set(['href', 'src', 'action'])

/** The structure of a page or mail: each tag with its attribute names, the URL schemes, and everything else except text. */
export const partsOf = (html: string): Set<string> => {
  const parts = new Set<string>()
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const shown = Object.entries(attributes).map(([key, value]) => {
          if (/^on/.test(key)) return `${key}!`
          return LEADS.has(key) && /^[\s\p{Cc}]*(?:javascript|data|vbscript)/iu.test(value)
            ? `${key} leads to ${value.trim().slice(0, 12)}`
            : key
        })
        parts.add(`<${name} ${shown.sort().join(' ')}>`)
      },
      oncomment: () => parts.add('comment'),
      onprocessinginstruction: (name) => parts.add(`instruction ${name}`),
      oncdatastart: () => parts.add('CDATA'),
    },
    { decodeEntities: true },
  )
  parser.write(html)
  parser.end()
  return parts
}
