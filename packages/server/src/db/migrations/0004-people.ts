import type { Up } from './dialect.ts'

export const people: Up = ({ id, int, text }) => [
  `create table followers (
      id ${id}, follower_id ${int} not null references users (id) on delete cascade,
      following_id ${int} not null references users (id) on delete cascade,
      status ${text} not null check (status in ('active', 'pending')), created_at ${text} not null, updated_at ${text} not null,
      check (follower_id <> following_id), unique (follower_id, following_id))`,
  `create index followers_of on followers (following_id, status, id)`,
  `create index followers_by on followers (follower_id, status, id)`,

  // A grouped type has one open row per subject until it is read; other types have one row per subject, read or not, so that nobody is
  // notified twice. A deleted notification is hidden; its row is deleted by age.
  `create table notifications (
      id ${id}, user_id ${int} not null references users (id) on delete cascade, type ${text} not null, subject ${text} not null,
      open ${int} not null default 1, object_id ${int} not null, object_type ${text} not null,
      space_id ${int} references spaces (id) on delete cascade, feed_id ${int} references feeds (id) on delete cascade,
      comment_id ${int} references comments (id) on delete cascade, meta ${text} not null default '{}',
      is_read ${int} not null default 0, read_at ${text}, removed ${int} not null default 0,
      created_at ${text} not null, updated_at ${text} not null)`,
  `create unique index notifications_open on notifications (user_id, subject) where open = 1`,
  `create index notifications_person on notifications (user_id, subject, open)`,
  `create index notifications_newest on notifications (user_id, created_at, id) where removed = 0`,
  `create index notifications_unread on notifications (user_id, created_at, id) where is_read = 0`,
  `create index notifications_feed on notifications (feed_id) where feed_id is not null`,
  `create index notifications_space on notifications (space_id) where space_id is not null`,
  `create index notifications_comment on notifications (comment_id) where comment_id is not null`,
  `create index notifications_age on notifications (is_read, created_at)`,
  // The actors of a notification: it shows those that the recipient may see, and is hidden without any.
  `create table notification_causes (
      id ${id}, notification_id ${int} not null references notifications (id) on delete cascade,
      actor_id ${int} not null references users (id) on delete cascade,
      comment_id ${int} references comments (id) on delete cascade, created_at ${text} not null)`,
  `create unique index notification_causes_actor on notification_causes (notification_id, actor_id, coalesce(comment_id, 0))`,
  `create index notification_causes_newest on notification_causes (notification_id, id)`,
  `create index notification_causes_comment on notification_causes (comment_id) where comment_id is not null`,
  `create index notification_causes_by on notification_causes (actor_id)`,

  `create table notification_preferences (
      user_id ${int} primary key references users (id) on delete cascade, email ${text} not null default '{}',
      push ${text} not null default '{}', digest_frequency ${text}, updated_at ${text} not null)`,
  `create table digests (
      user_id ${int} primary key references users (id) on delete cascade, frequency ${text} not null, sent_at ${text}, due_at ${text} not null)`,
  `create index digests_due on digests (due_at)`,
  // One row per notification that was sent by mail or push, so that it is sent only once.
  `create table notification_deliveries (
      notification_id ${int} primary key references notifications (id) on delete cascade,
      user_id ${int} not null references users (id) on delete cascade, mail_claimed_at ${text}, mailed_at ${text},
      push_at ${text})`,
  `create index notification_deliveries_mailed on notification_deliveries (user_id, mail_claimed_at)`,
  `create table push_subscriptions (
      id ${id}, user_id ${int} not null references users (id) on delete cascade, endpoint ${text} not null unique,
      p256dh ${text} not null, auth ${text} not null, user_agent ${text} not null default '', created_at ${text} not null,
      last_used_at ${text})`,
  `create index push_subscriptions_user on push_subscriptions (user_id, id)`,

  `create table topics (
      id ${id}, title ${text} not null, slug ${text} not null unique, description ${text} not null default '',
      color ${text} not null default '', icon ${text} not null default '',
      parent_id ${int} references topics (id) on delete set null, admin_only ${int} not null default 0, everywhere ${int} not null default 1,
      status ${text} not null default 'active' check (status in ('active', 'inactive')), serial ${int} not null,
      posts_count ${int} not null default 0, created_at ${text} not null, updated_at ${text} not null)`,
  `create index topics_order on topics (serial, id)`,
  `create index topics_everywhere on topics (everywhere, status, serial, id)`,
  `create index topics_parent on topics (parent_id)`,
  `create table topic_spaces (
      topic_id ${int} not null references topics (id) on delete cascade, space_id ${int} not null references spaces (id) on delete cascade,
      primary key (topic_id, space_id))`,
  `create index topic_spaces_space on topic_spaces (space_id, topic_id)`,
  `create table feed_topics (
      feed_id ${int} not null references feeds (id) on delete cascade, topic_id ${int} not null references topics (id) on delete cascade,
      place ${int} not null, published_at ${text} not null, primary key (feed_id, topic_id))`,
  `create index feed_topics_newest on feed_topics (topic_id, published_at desc, feed_id desc)`,

  `create table scheduled_posts (
      feed_id ${int} primary key references feeds (id) on delete cascade, timezone ${text} not null,
      auto_publish ${int} not null default 1, notification_sent ${int} not null default 0)`,
  `create index feeds_scheduled on feeds (user_id, scheduled_at, id) where status = 'scheduled'`,
  `create index feeds_scheduled_space on feeds (space_id, scheduled_at, id) where status = 'scheduled'`,
  `create index feeds_scheduled_all on feeds (scheduled_at, id) where status = 'scheduled'`,

  // A file belongs to the object that shows it (object_source, object_id); without one, only its owner can see it.
  `create table media (
      id ${id}, key ${text} not null unique, user_id ${int} not null references users (id) on delete cascade,
      file_name ${text} not null, file_type ${text} not null, file_size ${int} not null, width ${int}, height ${int},
      store ${text} not null check (store in ('disk', 's3')), path ${text} not null, thumbnail_path ${text},
      object_source ${text} not null default 'feed' check (object_source in ('feed', 'comment', 'profile', 'space', 'course', 'lesson')), object_id ${int},
      status ${text} not null default 'uploaded' check (status in ('uploaded', 'active', 'deleted')),
      created_at ${text} not null, updated_at ${text} not null)`,
  `create index media_user on media (user_id, created_at, id)`,
  `create index media_object on media (object_source, object_id)`,
  `create index media_status on media (status, updated_at, id)`,
  // Copies share the stored file of the original.
  `create index media_path on media (path)`,
  `create index media_thumbnail on media (thumbnail_path) where thumbnail_path is not null`,

  `create index users_name on users (display_name, id) where status = 'active'`,
  // Members who were never active sort last on both databases. The column itself makes the index covering on PostgreSQL.
  `create index users_seen on users (coalesce(last_activity, ''), id, last_activity) where status = 'active'`,
  `create index users_inactive on users (status, created_at, id) where status <> 'active'`,
  // Every suffix of every word of a member's names, so that any substring is found as a prefix.
  `create table person_names (
      part ${text} not null, user_id ${int} not null references users (id) on delete cascade, head ${int} not null,
      primary key (part, user_id))`,
  `create index person_names_user on person_names (user_id, part)`,
]
