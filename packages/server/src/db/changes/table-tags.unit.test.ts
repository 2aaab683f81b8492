import { expect, test } from 'vitest'
import { type ColumnRead, parseColumns } from './columns-read.ts'
import { currentRecorder, recordReads, recordStatement, tablesNotCovered } from './table-tags.ts'

const recorder = () => ({ reads: new Set<readonly ColumnRead[]>() })
const tablesIn = ({ reads }: ReturnType<typeof recorder>) => [...reads].flatMap((read) => read.map(({ table }) => table))

test.each([
  ['select u.username, u.created_at from users u', ['user'], [], []],
  ['select u.username, u.last_activity from users u', ['user'], [], ['users']],
  ['select u.username, u.last_activity from users u', ['user', 'profile'], [], []],
  ['select u.* from users u', ['user'], [], ['users']],
  ['select f.title, f.slug, f.listed from feeds f', ['titles'], [], ['feeds']],
  ['select f.title, f.slug, f.listed from feeds f', ['titles', 'lists'], [], []],
  ['select s.title, g.title from spaces s join space_groups g on g.id = s.parent_id', ['space'], [], ['space_groups', 'spaces']],
  ['select s.title, m.joined_at, o.joined_at from spaces s, space_members m, space_members o', ['space'], ['m'], ['space_members']],
  ['select s.title, m.joined_at from spaces s, space_members m', ['space'], ['m'], []],
  ['select count(*) from bookmarks', ['user'], [], ['bookmarks']],
])('%s: tags of the kinds %j, without %j, do not cover %j', (sql, kinds, ignored, tables) => {
  const read = parseColumns(sql, (name) => ['users', 'feeds', 'spaces', 'space_groups', 'space_members', 'bookmarks'].includes(name))
  expect([...tablesNotCovered(new Set(kinds), [read], new Set(ignored))]).toEqual(tables)
})

test('statements are recorded for the work that runs them', async () => {
  const [one, other] = [recorder(), recorder()]
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
  expect([tablesIn(one), tablesIn(other)]).toEqual([['feeds', 'topics'], ['spaces']])
  expect(currentRecorder()).toBeUndefined()
})
