import type { Fields } from '../operations.ts'
import { table } from '../values.ts'
import { type Change, escaped } from './reader.ts'

const NOTIFICATION_ACTIONS = table<string>({
  new_comment: 'comment_added',
  new_reply: 'child_comment_added',
  mention: 'mention_added',
  new_follower: 'user/followed',
  space_invite: 'space/member/role_updated',
})

/** FluentCommunity's portal route for a web app URL. */
const routeOf = (url: string, origin: string): Fields => {
  const [path = '', search = ''] = url.replace(origin, '').split('?')
  const [first, second, third, fourth] = path.split('/').filter(Boolean).map(decodeURIComponent)
  const comment_id = new URLSearchParams(search).get('comment_id')
  const query = comment_id === null ? {} : { query: { comment_id } }
  if (first === 'spaces' && third === 'feeds') return { name: 'space_feed', params: { space: second, feed_slug: fourth }, ...query }
  if (first === 'feeds') return { name: 'single_feed', params: { feed_slug: second }, ...query }
  if (first === 'spaces') return { name: 'space_feeds', params: { space: second } }
  if (first === 'courses') return { name: 'course_lessons', params: { course_slug: second } }
  return first === 'u' ? { name: 'user_profile', params: { username: second } } : { name: 'all_feeds', params: {} }
}

export const notification: Change = (record, { origin }) => {
  const { id, user_id, type, object_id, object_type, is_read, created_at, updated_at } = record
  return {
    ...record,
    feed_id: object_type === 'feed' ? object_id : null,
    src_user_id: record['actor_id'],
    src_object_type: object_type,
    action: type === 'new_reaction' ? `${object_type}/react_added` : (NOTIFICATION_ACTIONS[String(type)] ?? type),
    content: escaped(String(record['title'] ?? '')),
    route: routeOf(String(record['action_url'] ?? ''), origin),
    subscriber: {
      id,
      object_type: 'notification',
      notification_type: 'web',
      object_id: id,
      user_id,
      is_read: is_read === true ? '1' : '0',
      created_at,
      updated_at,
    },
  }
}
