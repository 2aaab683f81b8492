import { randomBytes } from 'node:crypto'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { PASSWORD } from '#test/session.ts'
import type { Member, World } from '#test/world.ts'

/** Information that only permitted people may learn. */
export const KINDS = [
  'secret space',
  'secret post',
  'secret comment',
  'held post',
  'followers post',
  'report of a secret post',
  'report of an open post',
  'reporter',
  'email',
  'applicant email',
  'network',
] as const
export type Kind = (typeof KINDS)[number]

/** How each kind is recognized in received text. */
export type Signs = Readonly<Record<Kind, RegExp>>

export interface Secrets {
  readonly space: Space
  readonly feed: { readonly id: number; readonly slug: string }
  readonly comment: number
  readonly kept: { readonly id: number; readonly slug: string }
  readonly author: Member
  readonly report: number
  readonly signs: Signs
}

export const ADDRESS = '203.0.113.77'
const word = () => `kept${randomBytes(8).toString('hex')}`

const giveEmail = (world: World, { id }: Member, email: string): Promise<unknown> =>
  world.app.services.database.write((db) => db.updateTable('users').set({ email }).where('id', '=', id).execute())

let made = 0

/** Creates every kind of restricted information, mentioning the given people where possible. */
export const createSecrets = async (world: World, owner: Member, named: readonly Member[]): Promise<Secrets> => {
  made += 1
  const words = Object.fromEntries(KINDS.map((kind) => [kind, word()])) as Record<Kind, string>
  const [author, reporter] = [await world.member(), await world.member({ displayName: `Reporter ${words.reporter}` })]
  await giveEmail(world, author, `${words['email']}@example.org`)
  const space = await makeSpace(world, { privacy: 'secret', members: [author, reporter] })
  await owner.api.spaces.updateById({ space_id: space.id, title: words['secret space'] })
  const to = named.map(({ username }) => `@${username}`).join(' ')
  const post = async (kind: Kind, body: object) => (await author.api.feeds.create({ message: `${words[kind]} ${to}`, ...body })).data

  const feed = await post('secret post', { space_id: space.id, title: words['secret post'] })
  const comment = (await reporter.api.comments.create({ feed_id: feed.id, comment: `${words['secret comment']} ${to}` })).data.id
  await reporter.api.reactions.toFeed({ feed_id: feed.id, type: 'like' })
  const kept = await post('followers post', { privacy: 'private' })
  const open = (await author.api.feeds.create({ message: 'For everybody' })).data.id
  const report = (object_id: number, kind: Kind) =>
    reporter.api.moderation.report({ object_id, object_type: 'feed', reason: 'other', description: words[kind] })
  await report(feed.id, 'report of a secret post')
  const { id } = await report(open, 'report of an open post')
  await owner.raw('PUT', '/settings', { moderate_posts: true, approval_required: true })
  await post('held post', { space_id: space.id })
  const applicant = { username: `applicant${made}`, email: `${words['applicant email']}@example.org`, password: PASSWORD }
  await world.request('POST', '/auth/register', applicant)
  await owner.raw('PUT', '/settings', { moderate_posts: false, approval_required: false })
  const wrong = { login: author.username, password: 'Wrong-river-7431' }
  await world.request('POST', '/auth/login', wrong, { 'x-forwarded-for': ADDRESS })
  await owner.raw('PATCH', `/members/${author.id}`, { is_verified: true }, { 'x-forwarded-for': ADDRESS })

  const said = Object.fromEntries(KINDS.map((kind) => [kind, new RegExp(words[kind])])) as Record<Kind, RegExp>
  return {
    space,
    feed,
    comment,
    kept,
    author,
    report: id,
    signs: {
      ...said,
      // The existence of a person is no secret; that they reported something is.
      reporter: new RegExp(`"reporter_id":${reporter.id}\\b|"reporter":\\{[^{}]*${words.reporter}|[Rr]eported by [^.]*${words.reporter}`),
      network: /203\.0\.113\./,
    },
  }
}

/** The kinds of secrets in a text. */
export const secretsIn = (text: string, signs: Signs): Kind[] => KINDS.filter((kind) => signs[kind].test(text))
