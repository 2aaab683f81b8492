// Nothing here runs: the compiler checks it. Each `@ts-expect-error` is an error itself when the line below it compiles.
import { type Answers, type Client, type ErrorCode, type Inputs, LyceumError, pages } from '@lyceum/sdk'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <_T extends true>() => undefined

export const inputs = async (client: Client) => {
  await client.feeds.create({ message: 'Hello', title: null, privacy: 'private' })
  await client.feeds.update({ feed_id: 7, is_sticky: 1 }, { idempotencyKey: 'once' })
  await client.feeds.list()
  await client.feeds.list({ order_by_type: 'popular', per_page: 50 })
  await client.links.list({})

  // @ts-expect-error the message is required
  await client.feeds.create({ title: 'Hello' })
  // @ts-expect-error so is the whole input
  await client.feeds.create()
  // @ts-expect-error a part of the path is required
  await client.feeds.update({ title: 'Hello' })
  // @ts-expect-error an id is a number
  await client.feeds.byId({ feed_id: '7' })
  // @ts-expect-error there is no such order
  await client.feeds.list({ order_by_type: 'loudest' })
  // @ts-expect-error there is no such input
  await client.feeds.list({ colour: 'red' })
  // @ts-expect-error this operation takes no input
  await client.links.list({ page: 2 })
  // @ts-expect-error there is no such operation
  await client.feeds.shout()
  // @ts-expect-error there is no such group
  await client.fees.list()
}

export const answers = async (client: Client) => {
  const { feeds, sticky } = await client.feeds.list()
  const [feed] = feeds.data
  holds<Same<typeof feeds.total, number>>()
  holds<Same<typeof feeds.next_cursor, string | null>>()
  holds<Same<NonNullable<typeof feed>['xprofile']['username'], string>>()
  holds<Same<NonNullable<typeof feed>['privacy'], 'public' | 'private'>>()
  // @ts-expect-error there may be no pinned feed
  sticky.id

  const { status, headers, body } = await client.feeds.create.answer({ message: 'Hello' })
  holds<Same<typeof status, number>>()
  holds<Same<typeof headers, Headers>>()
  holds<Same<typeof body, Answers['feeds']['create']>>()
  holds<Same<Inputs['feeds']['byId']['feed_id'], number>>()
}

export const everyPage = async (client: Client) => {
  for await (const page of pages(client.feeds.list, { space: 'garden' })) holds<Same<typeof page, Answers['feeds']['list']>>()
  for await (const { comments } of pages(client.comments.list, { feed_id: 7 })) holds<Same<(typeof comments)[number]['post_id'], number>>()
  // @ts-expect-error the feed is required
  void pages(client.comments.list, { page: 2 })
  // @ts-expect-error this operation has no pages
  void pages(client.feeds.byId, { feed_id: 7 })
}

export const errors = (error: unknown) => {
  if (!(error instanceof LyceumError)) return
  holds<Same<typeof error.code, ErrorCode | 'unexpected_answer'>>()
  // @ts-expect-error there is no such code
  if (error.code === 'feed_not_fond') return
  if (error.code === 'feed_not_found') return
}
