import { describe, expect, test } from 'vitest'
import { asFile, basic, picture } from '#test/media.ts'
import { FEED, PERSON, pageOf, REACTION } from '../shapes.ts'
import { useStage } from '../stage.ts'

const { as, here } = useStage()
const SAVED_FEED = { message: 'str', data: { id: 'int' }, feed: FEED, last_fetched_timestamp: 'int' } as const
const DONE = { message: 'str' } as const

describe('feeds', () => {
  test('lists', async () => {
    const LIST = {
      feeds: { ...pageOf(FEED), has_more: 'bool' },
      sticky: 'obj?',
      last_fetched_timestamp: 'int',
      execution_time: 'num',
    } as const
    await as('ben', 'GET', '/feeds?page=1&per_page=10&space=&order_by_type=latest&feed_base_url=feeds&query_timestamp=1&_t=2', LIST)
    await as('ben', 'GET', '/feeds/?search=seeds&search_in[0]=post_content&search_in[]=post_comments', LIST)
    await as('ben', 'GET', `/feeds?space_id=${here().space.slug}&order_by_type=nonsense&disable_sticky=`, LIST)
    await as('ben', 'GET', `/feeds?user_id=${here().ana.id}&context[space_id]=1`, LIST)
    await here().admin.api.feeds.patch({ feed_id: here().feed, is_sticky: true })
    await as('ben', 'GET', `/feeds?space=${here().space.slug}`, { feeds: 'obj', sticky: FEED })
    await here().admin.api.feeds.patch({ feed_id: here().feed, is_sticky: false })
  })

  test('one, with its survey and its picture', async () => {
    const { feed } = await as('ana', 'GET', `/feeds/${here().feed}/by-id`, { data: FEED, feed: FEED, execution_time: 'num' })
    expect(feed.meta).toMatchObject({
      survey_config: {
        type: 'single_choice',
        end_date: '',
        options: [{ slug: 'sat', label: 'Saturday', vote_counts: 0 }, { slug: 'sun' }],
      },
      media_items: [{ url: 'https://example.org/seeds.jpg', type: 'image', provider: 'uploader' }],
      media_preview: { image: 'https://example.org/seeds.jpg', is_uploaded: true },
    })
    const { feed: edited } = await as('ana', 'GET', `/feeds/${feed.slug}/by-slug?context=edit`, {
      feed: { ...FEED, topic_ids: 'str', media_images: ['obj'], survey: 'obj' },
    })
    expect(edited.id).toBe(here().feed)
    expect((await as('ben', 'GET', `/feeds/${here().feed}/by-id`, { feed: FEED })).feed).toMatchObject({
      has_user_react: true,
      user_reaction_type: 'like',
    })
  })

  test('are written in every spelling', async () => {
    const { space } = here()
    const { feed } = await as('ben', 'POST', '/feeds/', SAVED_FEED, {
      message: 'Which day?',
      space: space.slug,
      content_type: 'survey',
      survey: { type: 'multi_choice', options: [{ label: 'Monday' }, { label: 'Tuesday' }], end_date: '2031-01-01 10:00:00' },
      media_images: [],
      topic_ids: [],
      meta: [],
      scheduled_at: '',
    })
    expect(feed).toMatchObject({
      space: { slug: space.slug },
      meta: { survey_config: { type: 'multi_choice', end_date: '2031-01-01 10:00:00' } },
    })
    expect(feed.meta.survey_config.options.map(({ label }: { label: string }) => label)).toEqual(['Monday', 'Tuesday'])
    const slugs = feed.meta.survey_config.options.map(({ slug }: { slug: string }) => slug)
    const VOTED = { survey_config: { options: [{ slug: 'str', label: 'str', vote_counts: 'int' }] } } as const
    expect(
      (await as('ana', 'POST', `/feeds/${feed.id}/apps/survey-vote`, VOTED, { vote_indexes: slugs })).survey_config.options,
    ).toMatchObject([
      { vote_counts: 1, voted: true },
      { vote_counts: 1, voted: true },
    ])
    await as('ben', 'GET', `/feeds/${feed.id}/apps/survey-voters/${slugs[0]}`, {
      voters: [{ id: 'int', user_id: 'digits', object_id: 'digits', object_type: 'str', created_at: 'time', xprofile: PERSON }],
    })
    for (const place of [{ space_id: String(space.id) }, { space_id: space.slug }, { space: space.slug, space_id: null }])
      expect(
        (await as('ben', 'POST', '/feeds', SAVED_FEED, { message: 'x', ...place, meta: null, content_type: null, privacy: null })).feed
          .space.slug,
      ).toBe(space.slug)
    const gif = await as('ben', 'POST', '/feeds', SAVED_FEED, {
      message: 'gif',
      meta: { media_preview: { provider: 'giphy', type: 'image', image: 'https://example.org/g.gif', width: '200', height: '100' } },
    })
    expect(gif.feed.meta).toMatchObject({
      gif: { url: 'https://example.org/g.gif' },
      media_preview: { provider: 'giphy', image: 'https://example.org/g.gif' },
    })
    const pictures = await as('ben', 'POST', '/feeds', SAVED_FEED, {
      message: 'two',
      media_images: [{ url: 'https://example.org/1.jpg', media_id: '' }, { url: 'https://example.org/2.jpg' }],
    })
    expect(pictures.feed.meta.media_items).toHaveLength(2)
    expect(pictures.feed).not.toHaveProperty('space')

    const changed = await as('ben', 'POST', `/feeds/${gif.feed.id}`, SAVED_FEED, { message: 'changed', new_space_id: space.id })
    expect(changed.feed).toMatchObject({ message: 'changed', space: { id: space.id } })
    expect(
      (await as('ben', 'POST', `/feeds/${gif.feed.id}`, SAVED_FEED, { message: 'changed', move_to_profile: 'yes' })).feed,
    ).not.toHaveProperty('space')
    const pinned = await as('admin', 'PATCH', `/feeds/${gif.feed.id}`, SAVED_FEED, {
      is_sticky: '1',
      priority: '1',
      comments_disabled: 'yes',
    })
    expect(pinned.feed).toMatchObject({ is_sticky: 1, priority: 1, meta: { comments_disabled: 'yes' } })
    expect((await as('admin', 'PATCH', `/feeds/${gif.feed.id}`, SAVED_FEED, { is_sticky: 0, comments_disabled: 'no' })).feed).toMatchObject(
      { is_sticky: 0 },
    )
    await as('ben', 'DELETE', `/feeds/${gif.feed.id}`, DONE)
    await as('ben', 'POST', '/feeds/batch', { feeds: [FEED], count: 'int' }, { feed_ids: [here().feed, pictures.feed.id, 987654] })
  })

  test('reactions and bookmarks are set, or toggled by a type alone', async () => {
    const REACTED = { message: 'str', new_count: 'int', data: { action: 'str' } } as const
    const react = async (body: object) => {
      const { new_count, data } = await as('admin', 'POST', `/feeds/${here().feed}/react`, REACTED, body)
      return [data.action, new_count]
    }
    expect(await react({ react_type: 'like' })).toEqual(['added', 2])
    expect(await react({ react_type: 'like' })).toEqual(['unchanged', 2])
    expect(await react({ react_type: 'like', remove: '1' })).toEqual(['removed', 1])
    expect(await react({ reaction: 'love' })).toEqual(['added', 2])
    expect(await react({ type: 'love' })).toEqual(['removed', 1])
    expect(await react({ type: 'love' })).toEqual(['added', 2])
    const removed = await as('admin', 'DELETE', `/feeds/${here().feed}/react`, REACTED)
    expect(removed.new_count).toBe(1)
    expect(await react({ react_type: 'bookmark' })).toEqual(['added', 1])
    expect(await react({ react_type: 'bookmark' })).toEqual(['unchanged', 1])
    const LIST = {
      feeds: { data: [FEED], current_page: 'int', per_page: 'int', total: 'int', has_more: 'bool' },
      data: ['obj'],
      last_id: 'int',
    } as const
    expect((await as('admin', 'GET', '/feeds/bookmarks?per_page=20', LIST)).feeds.data[0].bookmarked).toBe(true)
    expect(await react({ react_type: 'bookmark', remove: 1 })).toEqual(['removed', 1])
    const REACTIONS = {
      reactions: [{ ...REACTION, xprofile: PERSON }],
      current_user_follows: 'obj',
    } as const
    await as('ana', 'GET', `/feeds/${here().feed}/reactions`, REACTIONS)
    await as('ana', 'GET', `/comments/${here().comment}/reactions`, REACTIONS)
  })

  test('polling tells what changed', async () => {
    const TICKER = {
      has_changes: 'bool',
      timestamp: 'time',
      last_fetched_timestamp: 'int',
      new_items_count: 'int',
      feeds: 'list',
      notifications: { unread_count: 'int' },
      activities: 'list',
      spaces: 'list',
      execution_time: 'num',
    } as const
    const since = Math.floor(here().world.clock.now().getTime() / 1000) - 60
    const first = await as('ben', 'GET', `/feeds/ticker?since=${since}`, { ...TICKER, feeds: [{ id: 'int', updated_at: 'time' }] })
    expect([first.has_changes, first.last_fetched_timestamp]).toEqual([true, since + 60])
    expect(await as('ben', 'GET', '/feeds/ticker?last_fetched_timestamp=4000000000', TICKER)).toMatchObject({
      has_changes: false,
      feeds: [],
    })
    const UPDATES = { updates: [{ id: 'int', updated_at: 'time', action: 'str' }], timestamp: 'time', has_changes: 'bool' } as const
    await as('ben', 'GET', `/feeds/ticker-updates?context=space-${here().space.id}&since=2026-03-10T12:00:00Z`, UPDATES)
    await as('ben', 'GET', `/feeds/ticker-updates?context=user-${here().ana.id}&since=2026-03-10%2012:00:00`, UPDATES)
  })

  test('previews, uploads, links and schedules', async () => {
    await as('ana', 'POST', '/feeds/markdown-preview', { html: 'str', meta: 'obj' }, { text: '**x**', with: ['oembed'], feed: '' })
    const form = new FormData()
    form.set('file', asFile(await picture(), 'x.png'))
    const response = await fetch(new URL('/wp-json/fluent-community/v2/feeds/media-upload', here().world.origin), {
      method: 'POST',
      headers: basic(here().ana),
      body: form,
    })
    expect(await response.json()).toMatchObject({
      media: { url: expect.stringMatching(/^http/), media_key: expect.any(String), type: 'image', width: expect.any(Number) },
    })
    await as(
      'admin',
      'POST',
      '/feeds/links',
      { message: 'str', links: [{ title: 'str', url: 'str' }] },
      { links: [{ title: 'Home', permalink: 'https://example.org/', enabled: 'yes', new_tab: 'no' }] },
    )
    await as('admin', 'GET', '/feeds/links?scope=view', { links: ['obj'] })
    await as('ana', 'GET', '/feeds/welcome-banner', { welcome_banner: 'obj?' })
    const { feed } = await as('ana', 'POST', '/feeds', SAVED_FEED, {
      message: 'Later',
      status: 'scheduled',
      scheduled_at: '2026-03-12 08:00:00',
    })
    await as('ana', 'GET', '/scheduled-posts', { feeds: pageOf(FEED) })
    await as('ana', 'PUT', `/scheduled-posts/${feed.id}`, { feed: FEED, message: 'str' }, { scheduled_at: '2026-03-13 08:00:00' })
    await as('ana', 'POST', `/scheduled-posts/publish/${feed.id}`, { feed: FEED, message: 'str' })
    await as('ana', 'GET', '/activities?per_page=5&with_pins=1', {
      activities: {
        data: [{ id: 'int', message: 'str', xprofile: PERSON, route: { name: 'str', params: 'obj' }, updated_at: 'time' }],
        has_more: 'bool',
        per_page: 'int',
        current_page: 'int',
      },
      after_contents: 'str',
      before_contents: 'str',
      pinned_posts: 'list',
    })
  })
})
