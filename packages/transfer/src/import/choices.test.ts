import { ARCHIVE_KINDS } from '@lyceum/contract/archive'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound } from '#test/account-deletion.ts'
import { makeSpace } from '#test/fixtures.ts'
import { everything } from '#test/tables.ts'
import { createWorld, type World } from '#test/world.ts'
import { AT, bring, comment, community, person, post } from '../../test-support/bring.ts'
import { garden, gardenFiles } from '../../test-support/garden.ts'
import { memorySource } from '../../test-support/memory-source.ts'
import { importSource } from './import-source.ts'
import { readMapping } from './mapping.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  await expectSound(world)
  await world.close()
})
const read = () => world.app.services.database.read

test('a dry run writes nothing, and says what an import would do and who would see it', async () => {
  const source = async () => memorySource(garden(), { files: await gardenFiles() })
  const before = await everything(world)
  const dry = await importSource(world.app.services, await source(), { dryRun: true, firstSize: 2 })
  expect(await everything(world)).toEqual(before)
  expect(dry.spaces.map(({ title, privacy, members, pending, posts }) => [title, privacy, members, pending, posts])).toEqual([
    ['Beans', 'public', 2, 0, 4],
    ['Peas', 'secret', 1, 0, 1],
    ['Roses', 'private', 1, 1, 0],
  ])
  const real = await importSource(world.app.services, await source())
  expect(dry.counts).toEqual(real.counts)
  expect(dry.spaces).toEqual(real.spaces)
  const again = await importSource(world.app.services, await source(), { dryRun: true })
  expect(Object.values(again.counts).map(({ imported, total, unchanged }) => [imported, total - unchanged])).toEqual(
    ARCHIVE_KINDS.map(() => [0, 0]),
  )
})

test('only some kinds can be imported; the others can follow', async () => {
  const as = 'some'
  const records = community(['One'], { comments: [comment('c1')] })
  const first = await bring(world, records, { as, only: new Set(['people', 'spaces']) })
  expect(Object.keys(first.counts)).toEqual(['people', 'spaces'])
  const second = await bring(world, records, { as, only: new Set(['posts']) })
  expect(second.counts).toEqual({ posts: { total: 1, imported: 1, unchanged: 0, changed: 0, skipped: 0, failed: 0 } })
  const third = await bring(world, records, { as })
  expect(third.counts).toMatchObject({ people: { unchanged: 2 }, posts: { unchanged: 1 }, comments: { imported: 1 } })
})

test('a mapping sends spaces and people to existing ones, leaves spaces out and changes their privacy', async () => {
  const as = 'mapped'
  const [target, zoe] = [await makeSpace(world, { privacy: 'private' }), await world.member({ username: 'zoe' })]
  const space = (id: string, privacy: 'public' | 'secret' = 'public') =>
    ({ id, title: id, slug: `slug-${id}`, privacy, status: 'published', created_at: AT }) as const
  const mapping = readMapping(
    JSON.stringify({ spaces: { a: target.slug, 'slug-b': null }, people: { bob: 'zoe' }, privacy: { c: 'private' } }),
  )
  const { counts, spaces, reasons } = await bring(
    world,
    {
      people: [person('ana2'), person('bob')],
      spaces: [space('a'), space('b'), space('c', 'secret')],
      memberships: [{ id: 'm', space: 'b', person: 'bob', role: 'member', status: 'active', joined_at: AT }],
      posts: [
        post('p1', { space: 'a', author: 'bob' }),
        post('p2', { space: 'b', author: 'bob' }),
        post('p3', { space: 'c', author: 'bob' }),
      ],
      comments: [comment('c1', { post: 'p2' })],
    },
    { as, mapping },
  )
  expect(spaces.map(({ id, privacy, into, left_out, posts }) => [id, privacy, into, left_out, posts])).toEqual([
    ['a', 'private', target.slug, false, 1],
    ['b', 'public', null, true, 0],
    ['c', 'private', null, false, 1],
  ])
  expect(reasons).toMatchObject({
    'spaces b': 'skipped: it was excluded',
    'memberships m': 'skipped: its space was excluded',
    'posts p2': 'skipped: its space was excluded',
    'comments c1': 'skipped: its post was not imported',
  })
  expect(counts.posts?.imported).toBe(2)
  const posts = await read().selectFrom('feeds').select(['user_id', 'space_id']).where('message', '=', 'Text p1').execute()
  expect(posts).toEqual([{ user_id: zoe.id, space_id: target.id }])
})

test.each([
  ['{"spaces": {"a": "no-such-space"}}', 'the space no-such-space does not exist'],
  ['{"people": {"a": "nobody-here"}}', 'the member nobody-here'],
  ['{"spaces": {"a": 7}}', 'spaces.a has an invalid value'],
  ['{"privacy": {"a": "hidden"}}', 'privacy.a has an invalid value'],
  ['{"groups": {}}', 'unknown key groups'],
  ['[]', 'must be a JSON object'],
  ['{', 'not valid JSON'],
])('the mapping %s is refused', async (text, message) => {
  const imported = async () => bring(world, community(), { as: 'refused', mapping: readMapping(text) })
  await expect(imported()).rejects.toThrow(message)
})
