import type { Check } from './check.ts'

const HELD = `('pending', 'spam')`

/** Checks of the moderation queue and of reports. */
export const MODERATION: readonly Check[] = [
  {
    name: 'held_feeds',
    about: 'a feed is in the moderation queue if and only if it is pending or spam',
    find: `select f.id from feeds f left join moderation_holds h on h.feed_id = f.id and h.comment_id is null
      where (f.status in ${HELD} and h.id is null) or (f.status not in ${HELD} and h.id is not null)`,
    repair: {
      hold: 'feeds',
      run: [
        `delete from moderation_holds where feed_id = $1 and comment_id is null and not exists (select 1 from feeds f where f.id = $1 and f.status in ${HELD})`,
        `insert into moderation_holds (feed_id, reason, created_at) select f.id, 'moderator', f.updated_at from feeds f where f.id = $1 and f.status in ${HELD}
         and not exists (select 1 from moderation_holds h where h.feed_id = $1 and h.comment_id is null)`,
      ],
    },
  },
  {
    name: 'held_comments',
    about: 'a comment is in the moderation queue, with its feed, if and only if it is pending or spam',
    find: `select c.id from comments c left join moderation_holds h on h.comment_id = c.id
      where (c.status in ${HELD} and (h.id is null or h.feed_id <> c.post_id)) or (c.status not in ${HELD} and h.id is not null)`,
    repair: {
      hold: 'comments',
      run: [
        `delete from moderation_holds where comment_id = $1`,
        `insert into moderation_holds (feed_id, comment_id, reason, created_at) select c.post_id, c.id, 'moderator', c.updated_at from comments c
         where c.id = $1 and c.status in ${HELD}`,
      ],
    },
  },
  {
    name: 'reports_own',
    about: 'no member reported themselves',
    find: 'select id from reports where reporter_id = reported_user_id',
  },
]
