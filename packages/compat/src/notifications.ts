import type { MAIL_TYPES } from '@lyceum/contract'
import type { Context, Fields, Handler, Handlers } from './operations.ts'
import { fieldsOf, isFields, isTrue, without } from './values.ts'

const unread = async ({ call }: Context) => call('notifications.unread')

const filters = ({ query }: Context): Fields => {
  const { status, notification_type, ...rest } = query
  return {
    ...rest,
    ...(status === 'read' || status === 'unread' ? { is_read: status === 'read' } : {}),
    ...(notification_type === 'mentioned' && { type: 'mention' }),
  }
}

/** Matches notification URLs that link to a feed. */
const leadsTo = (url: string, slug: string) => new RegExp(`/feeds/${slug.replace(/[^\w-]/g, '')}(?:[?#]|$)`).test(url)

const readFeed: Handler = async (ctx) => {
  const { call, params } = ctx
  const { data: feed } = await call('feeds.byId', { params: { feed_id: params['feed_id'] } })
  for (const { id, action_url } of (await unread(ctx)).notifications)
    if (leadsTo(action_url, feed.slug)) await call('notifications.read', { params: { notification_id: id } })
  const { unread_count } = await unread(ctx)
  return { message: '', unread_count, unread_notification_count: unread_count, unread_feed_ids: [] }
}

// ---- preferences -------------------------------------------------------------------------------------------

/** FluentCommunity's preferences → kinds of mail. */
const MAILS = { com_my_post_mail: 'new_comment', mention_mail: 'mention', reply_my_com_mail: 'new_comment' } as const satisfies Record<
  string,
  (typeof MAIL_TYPES)[number]
>

const yes = (value: unknown) => (value === true ? 'yes' : 'no')

const globals = ({
  email_notifications: mails,
  digest_frequency,
}: {
  email_notifications: Readonly<Record<string, boolean>>
  digest_frequency: string
}) => ({
  com_my_post_mail: yes(mails['new_comment']),
  reply_my_com_mail: yes(mails['new_comment']),
  mention_mail: yes(mails['mention']),
  digest_mail: yes(digest_frequency !== 'never'),
  message_email_frequency: 'disabled',
})

const preferencesBody = ({ body }: Context): Fields => {
  const sent = fieldsOf(body['user_globals'])
  const mails = Object.fromEntries(Object.entries(MAILS).flatMap(([name, type]) => (name in sent ? [[type, isTrue(sent[name])]] : [])))
  return {
    ...without(body, 'user_globals', 'space_prefs'),
    ...(Object.keys(mails).length > 0 && { email_notifications: { ...fieldsOf(body['email_notifications']), ...mails } }),
    ...('digest_mail' in sent && { digest_frequency: isTrue(sent['digest_mail']) ? 'weekly' : 'never' }),
  }
}

export const notificationHandlers: Handlers = {
  'GET /notifications': async (ctx) => {
    const answer = await ctx.call('notifications.list', { query: filters(ctx) })
    return { ...answer, unread_count: (await unread(ctx)).unread_count }
  },
  'GET /notifications/unread': async (ctx) => ({ ...(await unread(ctx)), unread_feed_ids: [] }),
  'POST /notifications/mark-read/{notification_id}': async (ctx) => {
    const answer = await ctx.call('notifications.read', { params: ctx.params })
    return { ...answer, unread_count: (await unread(ctx)).unread_count }
  },
  'POST /notifications/mark-read/{feed_id}/by-feed-id': readFeed,
  'GET /profile/{username}/notification-preferences': async ({ call, params }) => {
    const { data } = await call('notifications.preferences', { params })
    return {
      data,
      user_globals: globals(data),
      spaceGroups: [],
      space_prefs: {},
      digestEmailDay: '',
      default_messaging_email_frequency: 'disabled',
    }
  },
  'POST /profile/{username}/notification-preferences': async (ctx) => {
    const body = isFields(ctx.body['user_globals']) ? preferencesBody(ctx) : ctx.body
    const answer = await ctx.call('notifications.savePreferences', { params: ctx.params, body })
    return { ...answer, prefs: globals(answer.data), user_globals: globals(answer.data) }
  },
}
