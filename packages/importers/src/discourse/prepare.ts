import { NO_FIRST_POST } from '../left-out.ts'
import type { Staging } from '../staging/staging.ts'

/** Private messages. A topic without a category may be one, unless its archetype says otherwise. */
const PRIVATE = `
  create table private_topic (id integer primary key);
  insert into private_topic select id from topics
    where coalesce(archetype, iif(category_id is null, 'private_message', 'regular')) = 'private_message'`

/** Topics except private messages. `reason`: why a topic is skipped; null if it is imported. */
const TOPICS = `
  create table topic (id integer primary key, category_id integer, first integer, reason text);
  insert into topic select t.id, t.category_id, p.id, case
      when t.deleted_at is not null then 'it was deleted in the source'
      when t.id in (select topic_id from categories) then 'it is the description of its category'
      when t.category_id is not null and t.category_id not in (select id from categories) then 'its category does not exist in the source'
      when p.id is null then '${NO_FIRST_POST}'
      when p.deleted_at is not null or p.user_deleted = 't' then 'it was deleted in the source'
    end
  from topics t left join posts p on p.topic_id = t.id and p.post_number = 1 where t.id not in (select id from private_topic)`

/** All posts except the first posts of topics. */
const COMMENTS = `
  create table comment (id integer primary key, topic_id integer, n integer, reply_to integer, user_id integer, reason text);
  insert into comment select p.id, p.topic_id, p.post_number, p.reply_to_post_number, coalesce(p.user_id, 0), case
      when t.reason is not null then 'its topic was skipped: ' || t.reason
      when p.post_type = 3 then 'it is a log entry of its topic'
      when p.post_type = 4 then 'it is a staff whisper'
      when p.deleted_at is not null or p.user_deleted = 't' then 'it was deleted in the source'
    end
  from posts p join topic t on t.id = p.topic_id where t.first is null or t.first <> p.id;
  create index comment_by_number on comment (topic_id, n)`

/** Imported posts and comments. */
const WRITTEN = `
  create table written (id integer primary key, topic_id integer, category_id integer, user_id integer, is_first integer, created_at text);
  insert into written select p.id, t.id, t.category_id, coalesce(p.user_id, 0), 1, p.created_at
    from topic t join posts p on p.id = t.first where t.reason is null;
  insert into written select c.id, c.topic_id, t.category_id, c.user_id, 0, p.created_at
    from comment c join topic t on t.id = c.topic_id join posts p on p.id = c.id where c.reason is null;
  create index written_by_category on written (category_id, user_id)`

/**
 * Accounts, and authors whose account was deleted. System users, and staged users created for incoming mail, are included only if
 * they wrote something that is imported.
 */
const ACCOUNTS = `
  create table account (id integer primary key, since text);
  insert into account select id, null from users where id > 0 and coalesce(staged, 'f') <> 't';
  insert or ignore into account select user_id, min(created_at) from written group by user_id`

/** Creates the tables that the readers join. */
export const prepare = (staging: Staging): void => {
  for (const sql of [PRIVATE, TOPICS, COMMENTS, WRITTEN, ACCOUNTS]) staging.exec(sql)
  staging.exec('analyze')
}
