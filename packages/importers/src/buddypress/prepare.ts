import type { Staging } from '../staging/staging.ts'

/**
 * An update with several files has a hidden activity per file, which collects comments and reactions on that file. `parent` is the update,
 * or null if it is unknown.
 */
const SINGLE_FILES = `
  create table single_file (id integer primary key, parent integer);
  insert into single_file
    select a.id, coalesce(nullif(a.secondary_item_id, 0),
      (select cast(p.meta_value as integer) from bp_media m join postmeta p on p.post_id = m.attachment_id
        and p.meta_key in ('bp_media_parent_activity_id', 'bp_video_parent_activity_id') where m.activity_id = a.id limit 1),
      (select cast(p.meta_value as integer) from bp_document d join postmeta p on p.post_id = d.attachment_id
        and p.meta_key = 'bp_document_parent_activity_id' where d.activity_id = a.id limit 1))
    from bp_activity a where a.type = 'activity_update' and (a.privacy in ('media', 'document', 'video') or exists (
      select 1 from bp_activity_meta x where x.activity_id = a.id
        and x.meta_key in ('bp_media_activity', 'bp_document_activity', 'bp_video_activity') and x.meta_value = '1'))`

/** The post or comment of each file: the one that lists it, or else the one that the file references. Files of messages are private. */
const ATTACHED = `
  create table attached (kind text, id integer, target integer, position integer, primary key (kind, id));
  insert or ignore into attached
    select kind, id, target, position from (
      select case m.meta_key when 'bp_document_ids' then 'document' else 'media' end as kind, cast(j.value as integer) as id,
        m.activity_id as target, j.key as position, 0 as guessed
      from bp_activity_meta m, json_each(case when json_valid('[' || rtrim(m.meta_value, ', ') || ']')
        then '[' || rtrim(m.meta_value, ', ') || ']' else '[]' end) j
      where m.meta_key in ('bp_media_ids', 'bp_video_ids', 'bp_document_ids')
      union all
      select 'media', f.id, coalesce(s.parent, f.activity_id), f.menu_order, 1 from bp_media f left join single_file s on s.id = f.activity_id
      union all
      select 'document', f.id, coalesce(s.parent, f.activity_id), f.menu_order, 1
        from bp_document f left join single_file s on s.id = f.activity_id) l
    where exists (select 1 from bp_activity a where a.id = l.target and a.type in ('activity_update', 'activity_comment'))
      and not exists (select 1 from single_file s where s.id = l.target)
      and exists (select 1 from bp_media f where l.kind = 'media' and f.id = l.id and coalesce(f.message_id, 0) = 0
          and coalesce(f.privacy, '') <> 'message'
        union all select 1 from bp_document f where l.kind = 'document' and f.id = l.id and coalesce(f.message_id, 0) = 0
          and coalesce(f.privacy, '') <> 'message')
    order by guessed, target, position, id;
  create index attached_target on attached (target)`

/** The post of each comment, and its parent comment if that belongs to the same post. */
const COMMENTS = `
  create table comment (id integer primary key, post integer, parent integer, depth integer);
  insert into comment (id, post)
    select c.id, coalesce(s.parent, case when p.type = 'activity_comment' then p.item_id end, c.item_id)
    from bp_activity c left join bp_activity p on p.id = c.item_id left join single_file s on s.id = c.item_id
    where c.type = 'activity_comment';
  update comment set parent = (select p.id from bp_activity c join comment p on p.id = c.secondary_item_id
    where c.id = comment.id and p.post = comment.post and p.id <> c.id);
  create index comment_parent on comment (parent);
  create table comment_depth (id integer primary key, depth integer);
  insert into comment_depth
    with recursive tree (id, depth) as (
      select id, 0 from comment where parent is null
      union all select c.id, t.depth + 1 from tree t join comment c on c.parent = t.id)
    select id, depth from tree;
  update comment set depth = (select depth from comment_depth d where d.id = comment.id);
  drop table comment_depth;
  -- Comments that answer each other in a circle: the oldest of them starts the thread.
  update comment set parent = null where depth is null and parent > id;
  update comment set depth = 1000000000 where depth is null;
  create index comment_order on comment (depth, id)`

/** People with posts only for friends. Followers see such posts, so these people must approve followers. */
const PRIVATE_PEOPLE = `
  create table private_person (id integer primary key);
  insert or ignore into private_person
    select user_id from bp_activity where type = 'activity_update' and privacy = 'friends' and coalesce(component, '') <> 'groups'`

/** The root group of each subgroup. Cycles have no root. */
const HIERARCHY = `
  create table group_root (id integer primary key, root integer);
  insert or ignore into group_root
    with recursive below (id, root) as (
      select g.id, g.id from bp_groups g where not exists (select 1 from bp_groups p where p.id = g.parent_id and p.id <> g.id)
      union select g.id, b.root from below b join bp_groups g on g.parent_id = b.id and g.id <> b.id)
    select id, root from below;
  delete from group_root where root not in (select root from group_root where id <> root)`

/**
 * Group types with their plural names. A type that only hidden groups use is secret, because it would reveal
 * them.
 */
const GROUP_TYPES = `
  create table group_type (group_id integer, slug text, name text);
  insert into group_type
    select r.object_id, t.slug, coalesce(
      (select m.meta_value from termmeta m where m.term_id = t.term_id and m.meta_key = 'bp_type_name' and m.meta_value <> ''),
      (select n.meta_value from posts p join postmeta k on k.post_id = p.ID and k.meta_key = '_bp_group_type_key' and k.meta_value = t.slug
        join postmeta n on n.post_id = p.ID and n.meta_key = '_bp_group_type_label_name' and n.meta_value <> ''
        where p.post_type = 'bp-group-type' limit 1), t.name)
    from term_relationships r join term_taxonomy x on x.term_taxonomy_id = r.term_taxonomy_id and x.taxonomy = 'bp_group_type'
    join terms t on t.term_id = x.term_id join bp_groups g on g.id = r.object_id;
  delete from group_type where slug not in (
    select t.slug from group_type t join bp_groups g on g.id = t.group_id where g.status in ('public', 'private'));
  create index type_of_group on group_type (group_id)`

/** Creates the tables that several readers join. */
export const prepare = (staging: Pick<Staging, 'exec'>): void => {
  for (const sql of [SINGLE_FILES, ATTACHED, COMMENTS, PRIVATE_PEOPLE, HIERARCHY, GROUP_TYPES]) staging.exec(sql)
}
