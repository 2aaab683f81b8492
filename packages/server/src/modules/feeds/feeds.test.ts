import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type Member, refused, type World } from '../../../test/world.ts'

let world: World
let ana: Member
let bob: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  bob = await world.member()
})
afterAll(() => world.close())

describe('publishing', () => {
  it('stores the message as it was sent and renders it', async () => {
    const { data } = await ana.api.feeds.create({ title: 'Hello', message: 'some **bold** words' })
    const { data: feed } = await bob.api.feeds.byId({ feed_id: data.id })
    expect(feed).toMatchObject({ title: 'Hello', message: 'some **bold** words', slug: 'hello', status: 'published', user_id: ana.id })
    expect(feed.message_rendered).toContain('<strong>bold</strong>')
    expect(await bob.api.feeds.bySlug({ feed_slug: 'hello' })).toEqual({ data: feed })
  })
  it('refuses an empty message', async () => {
    await refused(ana.api.feeds.create({ message: '  ' }), 400, 'invalid_content')
  })
  it('lists', async () => {
    const list = await bob.api.feeds.list()
    expect(list.feeds.data.length).toBe(list.feeds.total)
  })
})
