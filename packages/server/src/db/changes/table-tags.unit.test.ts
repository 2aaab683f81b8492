import { expect, test } from 'vitest'
import { currentRecorder, recordReads, recordStatement, tablesReadBy } from './table-tags.ts'

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
])('%s reads %j', (sql, tables) => {
  expect([...tablesReadBy(sql)].toSorted()).toEqual([...tables].toSorted())
})

test('statements are recorded for the work that runs them', async () => {
  const [one, other] = [{ tables: new Set<string>() }, { tables: new Set<string>() }]
  recordStatement('select 1 from users')
  await Promise.all([
    recordReads(one, async () => {
      await null
      recordStatement('select 1 from feeds')
      await recordReads(other, async () => recordStatement('select 1 from spaces'))
      recordStatement('select 1 from topics')
      expect(currentRecorder()).toBe(one)
    }),
    (async () => {
      await null
      recordStatement('select 1 from comments')
    })(),
  ])
  expect([[...one.tables], [...other.tables]]).toEqual([['feeds', 'topics'], ['spaces']])
  expect(currentRecorder()).toBeUndefined()
})
