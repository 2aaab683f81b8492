import { expect, test } from 'vitest'
import { parseColumns } from './columns-read.ts'

const TABLES = ['bookmarks', 'comments', 'feeds', 'reactions', 'settings', 'space_members', 'spaces', 'topics', 'users']
const read = (sql: string) => parseColumns(sql, (name) => TABLES.includes(name))

test.each([
  ['select f.id from feeds f where f.user_id = $1', ['feeds']],
  ['select 1 from feeds f, spaces s left join users u on u.id = f.user_id where s.id = f.space_id', ['feeds', 'spaces', 'users']],
  ['select (select count(*) from comments c where c.post_id = f.id), reactions from feeds f', ['comments', 'feeds']],
  [`select 'x from users', "settings" from "spaces" -- from topics`, ['spaces']],
  ['select * from (feeds f cross join topics t), (select id, users from bookmarks) b', ['feeds', 'topics', 'bookmarks']],
  ['with own as (select space_id from space_members) select id from own join spaces on true', ['space_members', 'spaces']],
  ['select r.id from unnest($1::bigint[]) e(id) cross join lateral (select id from reactions r limit 3) r', ['reactions']],
  ['select 1 from feeds f where f.title is distinct from users order by settings, topics', ['feeds']],
  ['update feeds set title = $1 where id in (select post_id from comments)', ['comments']],
])('%s reads the tables %j', (sql, tables) => {
  expect([...new Set(read(sql).map(({ table }) => table))].toSorted()).toEqual(tables.toSorted())
})

test.each([
  ['select f.title as name, f.xmin from feeds f', ['feeds f id', 'feeds f title']],
  [
    'select title from feeds where slug = $1 order by published_at desc limit 3',
    ['feeds  title', 'feeds  slug', 'feeds  published_at', 'feeds feeds id'],
  ],
  ['select distinct f.* from feeds as f', ['feeds f id', 'feeds f *']],
  ['select count(*) as n from feeds f', ['feeds f id']],
  ['select * from feeds f', ['feeds f id', 'feeds  *']],
  ['select json_agg(f) from feeds f', ['feeds f id', 'feeds f *']],
  [`select coalesce(s.logo, '')::text, cast(position as bigint) from spaces s`, ['spaces s id', 'spaces s logo', 'spaces  position']],
  ['select p1.id from (select f.id, f.slug from feeds f) p1', ['feeds f id', 'feeds f slug']],
  [
    'with h as (select u.email from users u), k as materialized (select 1 as n) select h.email, k.n from h, k',
    ['users u id', 'users u email'],
  ],
  ['select 1 from spaces s join spaces g on g.id = s.parent_id', ['spaces s id', 'spaces g id', 'spaces s parent_id']],
  [
    'select t.title from topics t where exists (select 1 from topics t where t.slug = $1)',
    ['topics t id', 'topics t title', 'topics t slug'],
  ],
  ['select title from feeds, spaces', ['feeds feeds id', 'spaces spaces id', 'feeds  title', 'spaces  title']],
])('%s reads the columns %j', (sql, columns) => {
  expect(
    read(sql)
      .map(({ table, alias, column }) => `${table} ${alias} ${column}`)
      .toSorted(),
  ).toEqual(columns.toSorted())
})
