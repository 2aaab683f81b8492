import { textOn } from '@lyceum/mail/colors'
import type { Brand } from '@lyceum/mail/layout'
import { type Page, pageFile } from '../../../http/pages/page-file.ts'
import type { UnsubscribeKind } from './unsubscribe-token.ts'

const DESCRIPTIONS: Readonly<Record<UnsubscribeKind, string>> = {
  new_comment: 'mail about comments and replies to what you wrote',
  new_reaction: 'mail about reactions to what you wrote',
  new_follower: 'mail about new followers',
  mention: 'mail about mentions of you',
  space_invite: 'mail about spaces that you are added to',
  digest: 'the digest',
  all: 'any notifications or digests by mail',
}

const render = pageFile('unsubscribe.html', "form-action 'self'")

const page = ({ name: community, color }: Brand, view: object): Page => render({ ...view, community, color, label_color: textOn(color) })

/** Asks for confirmation, because link scanners open every link of a mail. */
export const confirmPage = (brand: Brand, kind: UnsubscribeKind): Page =>
  page(brand, { title: 'Unsubscribe?', mail: DESCRIPTIONS[kind], confirm: true })

/** `everything` is the URL that turns off all other mail, too. */
export const donePage = (brand: Brand, kind: UnsubscribeKind, urls: { preferences: string; everything: string }): Page =>
  page(brand, {
    title: 'You are unsubscribed',
    mail: DESCRIPTIONS[kind],
    done: true,
    preferences: urls.preferences,
    everything: kind === 'all' ? null : urls.everything,
  })

export const unknownPage = (brand: Brand, preferences: string): Page => page(brand, { title: 'This link does not work', preferences })
