// Type tests: this file is only compiled. An unused `@ts-expect-error` is a compile error.
import { type Answers, type Client, type ErrorCode, type Inputs, LyceumError, pages } from '@lyceum/sdk'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const assertType = <_T extends true>() => undefined

export const inputs = async (client: Client) => {
  await client.feeds.create({ message: 'Hello', title: null, privacy: 'private' })
  await client.feeds.update({ feed_id: 7, is_sticky: 1 }, { idempotencyKey: 'once' })
  await client.feeds.list()
  await client.feeds.list({ order_by_type: 'popular', per_page: 50 })
  await client.links.list({})

  // @ts-expect-error the message is required
  await client.feeds.create({ title: 'Hello' })
  // @ts-expect-error the input is required
  await client.feeds.create()
  // @ts-expect-error a path parameter is required
  await client.feeds.update({ title: 'Hello' })
  // @ts-expect-error an id is a number
  await client.feeds.byId({ feed_id: '7' })
  // @ts-expect-error this sort order does not exist
  await client.feeds.list({ order_by_type: 'loudest' })
  // @ts-expect-error this parameter does not exist
  await client.feeds.list({ colour: 'red' })
  // @ts-expect-error this operation takes no input
  await client.links.list({ page: 2 })
  // @ts-expect-error this operation does not exist
  await client.feeds.shout()
  // @ts-expect-error this group does not exist
  await client.fees.list()
}

export const answers = async (client: Client) => {
  const { feeds, sticky } = await client.feeds.list()
  const [feed] = feeds.data
  assertType<Equal<typeof feeds.total, number>>()
  assertType<Equal<typeof feeds.next_cursor, string | null>>()
  assertType<Equal<NonNullable<typeof feed>['xprofile']['username'], string>>()
  assertType<Equal<NonNullable<typeof feed>['privacy'], 'public' | 'private'>>()
  // @ts-expect-error the pinned feed can be null
  sticky.id

  const { status, headers, body } = await client.feeds.create.answer({ message: 'Hello' })
  assertType<Equal<typeof status, number>>()
  assertType<Equal<typeof headers, Headers>>()
  assertType<Equal<typeof body, Answers['feeds']['create']>>()
  assertType<Equal<Inputs['feeds']['byId']['feed_id'], number>>()
}

export const everyPage = async (client: Client) => {
  for await (const page of pages(client.feeds.list, { space: 'garden' })) assertType<Equal<typeof page, Answers['feeds']['list']>>()
  for await (const { comments } of pages(client.comments.list, { feed_id: 7 }))
    assertType<Equal<(typeof comments)[number]['post_id'], number>>()
  // @ts-expect-error the feed is required
  void pages(client.comments.list, { page: 2 })
  // @ts-expect-error this operation has no pages
  void pages(client.feeds.byId, { feed_id: 7 })
}

export const errors = (error: unknown) => {
  if (!(error instanceof LyceumError)) return
  assertType<Equal<typeof error.code, ErrorCode | 'unexpected_answer'>>()
  // @ts-expect-error this code does not exist
  if (error.code === 'feed_not_fond') return
  if (error.code === 'feed_not_found') return
}
