import { NO_DATA, NO_FIRST_POST } from '../left-out.ts'
import type { Staging } from '../staging/staging.ts'
import type { Category } from './categories.ts'

const objects = (prefix: string) =>
  `(select cast(substr(_key, ${prefix.length + 2}) as integer) as id, case when json_valid(data) then data end as d
    from hash where _key >= '${prefix}:0' and _key < '${prefix}::')`
const integer = (field: string) => `cast(d ->> '${field}' as integer)`

const POSTS = `
  create table post (pid integer primary key, tid integer, uid integer, reply_to integer, deleted integer, time integer, broken integer);
  insert into post select id, ${integer('tid')}, coalesce(${integer('uid')}, 0), ${integer('toPid')}, coalesce(${integer('deleted')}, 0),
    ${integer('timestamp')}, d is null from ${objects('post')}`

/** `reason`: why a topic is skipped; null if it is imported. */
const TOPICS = `
  create table topic (tid integer primary key, cid integer, main integer, scheduled integer, reason text);
  insert into topic select id, cid, main, scheduled, case
      when d is null then '${NO_DATA}'
      when cid not in (select cid from category_space) then 'its category was not imported'
      when deleted = 1 and scheduled is null then 'it was deleted in the source'
      when main is null or main not in (select pid from post where not broken) then '${NO_FIRST_POST}'
    end from (select id, d, ${integer('cid')} as cid, ${integer('mainPid')} as main, coalesce(${integer('deleted')}, 0) as deleted,
      (select score from zset where _key = 'topics:scheduled' and value = cast(id as text)) as scheduled from ${objects('topic')});
  create index topic_category on topic (cid)`

/** All posts except the first posts of topics, with their topic and parent. */
const COMMENTS = `
  create table comment (pid integer primary key, tid integer, uid integer, reply_to integer, time integer, reason text);
  insert into comment select p.pid, p.tid, p.uid, p.reply_to, p.time, case
      when p.broken then '${NO_DATA}'
      when t.tid is null then 'its topic does not exist in the source'
      when t.reason is not null then 'its topic was skipped: ' || t.reason
      when p.deleted = 1 then 'it was deleted in the source'
    end from post p left join topic t on t.tid = p.tid where t.main is null or t.main <> p.pid;
  create index comment_topic on comment (tid)`

/** Imported posts and comments. */
const WRITTEN = `
  create view written as
    select p.pid, t.tid, t.cid, p.uid, p.time, 1 as is_main from topic t join post p on p.pid = t.main where t.reason is null
    union all
    select c.pid, c.tid, t.cid, c.uid, c.time, 0 from comment c join topic t on t.tid = c.tid where c.reason is null`

const PLACES = `
  create table place (pid integer primary key, tid integer, is_main integer, time integer);
  insert or ignore into place select pid, tid, is_main, time from written`

/** Accounts, and authors whose account was deleted. */
const ACCOUNTS = `
  create table account (uid integer primary key, since integer);
  insert into account select id, null from (select cast(substr(_key, 6) as integer) as id from hash
    where _key >= 'user:0' and _key < 'user::' and _key not glob 'user:*:*');
  insert or ignore into account select uid, min(time) from written group by uid`

/** Positions of posts in their topics, as used in URLs. The first post has the number 1. */
const NUMBERS = `
  create table number (pid integer primary key, n integer);
  insert or ignore into number select cast(value as integer), 1 + row_number() over (partition by _key order by score, value)
    from zset where _key >= 'tid:0' and _key < 'tid::'`

/** Creates the tables that the readers join. */
export const prepare = (staging: Staging, categories: ReadonlyMap<number, Category>): void => {
  staging.exec('create table category_space (cid integer primary key)')
  const spaces = [...categories.values()].filter((category) => !category.link).map(({ cid }) => `(${cid})`)
  if (spaces.length > 0) staging.exec(`insert into category_space values ${spaces.join(', ')}`)
  for (const sql of [POSTS, TOPICS, COMMENTS, WRITTEN, PLACES, ACCOUNTS, NUMBERS]) staging.exec(sql)
  staging.exec('analyze')
}
