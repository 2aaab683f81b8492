import { expect, test } from 'vitest'
import { COMMENT, NOTIFICATION, pageOf } from '../shapes.ts'
import { useStage } from '../stage.ts'

const { as, here } = useStage()
const SAVED_COMMENT = { message: 'str', data: { id: 'int' }, comment: COMMENT } as const
const DONE = { message: 'str' } as const

test('comments', async () => {
  const { feed, comment } = here()
  const list = await as('ana', 'GET', `/feeds/${feed}/comments`, { comments: [COMMENT] })
  expect(list.comments.map(({ parent_id, liked }: { parent_id: number | null; liked?: number }) => [parent_id, liked])).toEqual([
    [null, 1],
    [String(comment), undefined],
  ])
  await as('ana', 'GET', `/comments/${comment}?context=edit`, { comment: COMMENT, data: COMMENT })
  const made = await as('ana', 'POST', `/feeds/${feed}/comments`, SAVED_COMMENT, {
    comment: 'A picture',
    parent_id: '',
    media_images: [{ url: 'https://example.org/1.jpg' }],
  })
  expect(made.comment).toMatchObject({ parent_id: null, meta: { media_items: [{ url: 'https://example.org/1.jpg' }] } })
  const reply = await as('ana', 'POST', `/feeds/${feed}/comments`, SAVED_COMMENT, {
    comment: 'A reply',
    parent_id: String(made.comment.id),
    meta: { giphy: { id: 'g', image: 'https://example.org/g.gif' } },
  })
  expect(reply.comment).toMatchObject({
    parent_id: String(made.comment.id),
    meta: { media_preview: { provider: 'giphy', image: 'https://example.org/g.gif' } },
  })
  const REACTED = { message: 'str', liked: 'bool', reactions_count: 'int', data: 'obj' } as const
  const react = async (body: object) => {
    const { liked, reactions_count } = await as('ben', 'POST', `/feeds/${feed}/comments/${made.comment.id}/reactions`, REACTED, body)
    return [liked, reactions_count]
  }
  for (const [body, expected] of [
    [{ state: 1 }, [true, 1]],
    [{ state: '1' }, [true, 1]],
    [{ state: 0 }, [false, 0]],
    [{ type: 'love' }, [true, 1]],
    [{ type: 'love' }, [false, 0]],
  ] as const)
    expect([body, await react(body)]).toEqual([body, expected])
  await as('ana', 'POST', `/feeds/${feed}/comments/${made.comment.id}`, SAVED_COMMENT, { comment: 'Changed' })
  expect(
    (await as('admin', 'PATCH', `/feeds/${feed}/comments/${made.comment.id}`, SAVED_COMMENT, { is_sticky: '1' })).comment.is_sticky,
  ).toBe(1)
  expect((await as('ana', 'GET', `/feeds/${feed}/comments`, { sticky_comment: COMMENT })).sticky_comment.id).toBe(made.comment.id)
  await as('ana', 'DELETE', `/feeds/${feed}/comments/${made.comment.id}`, DONE)
})

test('notifications', async () => {
  await here().world.runPendingJobs()
  const LIST = { notifications: { ...pageOf(NOTIFICATION), last_page: 'int' }, unread_count: 'int' } as const
  const { notifications } = await as('ana', 'GET', '/notifications?status=unread&notification_type=', LIST)
  const [first] = notifications.data
  expect(first).toMatchObject({ subscriber: { is_read: '0' } })
  const routes = notifications.data.map(({ route }: typeof first) => route)
  expect(routes).toContainEqual(
    expect.objectContaining({ name: 'space_feed', params: expect.objectContaining({ space: here().space.slug }) }),
  )
  const { unread_count } = await as('ana', 'GET', '/notifications/unread', {
    notifications: [NOTIFICATION],
    unread_count: 'int',
    unread_feed_ids: 'list',
  })
  expect((await as('ana', 'POST', `/notifications/mark-read/${notifications.data[0].id}`, { unread_count: 'int' })).unread_count).toBe(
    unread_count - 1,
  )
  const after = await as('ana', 'POST', `/notifications/mark-read/${here().feed}/by-feed-id`, {
    unread_notification_count: 'int',
    unread_feed_ids: 'list',
  })
  expect(after.unread_notification_count).toBeLessThan(unread_count)
  await as('ana', 'POST', '/notifications/mark-all-read', DONE)
  expect((await as('ana', 'GET', '/notifications?status=read', LIST)).unread_count).toBe(0)
  const PREFERENCES = {
    com_my_post_mail: 'yesno',
    reply_my_com_mail: 'yesno',
    mention_mail: 'yesno',
    digest_mail: 'yesno',
    message_email_frequency: 'str',
  } as const
  await as('ana', 'GET', '/profile/me/notification-preferences', {
    user_globals: PREFERENCES,
    spaceGroups: 'list',
    space_prefs: 'obj',
    digestEmailDay: 'str',
    default_messaging_email_frequency: 'str',
  })
  const saved = await as(
    'ana',
    'POST',
    '/profile/me/notification-preferences',
    { message: 'str', prefs: PREFERENCES },
    { user_globals: { mention_mail: 'no', digest_mail: 'no', com_my_post_mail: 'yes' }, space_prefs: {} },
  )
  expect(saved.prefs).toMatchObject({ mention_mail: 'no', digest_mail: 'no', com_my_post_mail: 'yes' })
  expect((await here().ana.api.notifications.preferences({ username: 'me' })).data).toMatchObject({
    email_notifications: { mention: false, new_comment: true },
    digest_frequency: 'never',
  })
})

test('all comments of a feed come without paging', async () => {
  const { data } = await here().ana.api.feeds.create({ message: 'Talk of the town' })
  for (let i = 0; i < 120; i++) await here().ben.api.comments.create({ feed_id: data.id, comment: `${i}` })
  expect((await as('ana', 'GET', `/feeds/${data.id}/comments`, { comments: [COMMENT] })).comments).toHaveLength(120)
  expect((await as('ana', 'GET', `/feeds/${data.id}/comments?page=2&per_page=50`, { comments: [COMMENT] })).comments).toHaveLength(50)
})
