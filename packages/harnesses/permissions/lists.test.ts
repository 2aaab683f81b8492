import { PERMISSIONS } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grant } from '#test/fixtures.ts'
import { makeStage, type Stage } from '#test/one-of-each.ts'
import type { Member } from '#test/world.ts'

let stage: Stage
/** Have every permission, in the space of the objects and in another one. */
let here: Member
let elsewhere: Member

beforeAll(async () => {
  stage = await makeStage()
  const holder = (name: string) => stage.actors.find((actor) => actor.name === name)?.member as Member
  here = holder('manage_feeds here')
  elsewhere = holder('manage_feeds elsewhere')
  for (const who of [here, elsewhere]) await grant(stage.world, who, PERMISSIONS, [])
}, 60_000)
afterAll(() => stage.world.close())

const DAYS = { date_from: '2026-03-01', date_to: '2026-03-10' }
const PLACES = ['private', 'public', 'secret'] as const

/** What each list reveals about the space of its records. */
const LISTS: Readonly<Record<string, (who: Member) => Promise<readonly (number | null)[]>>> = {
  'reports, by what they are about': async (who) =>
    (await who.api.moderation.reports({ per_page: 100 })).reports.map((row) => row.object_id),
  'what is held': async (who) => (await who.api.moderation.queue({ per_page: 100 })).items.flatMap(({ space }) => space?.id ?? null),
  'popular spaces': async (who) => (await who.api.analytics.popularSpaces({ ...DAYS, limit: 100 })).spaces.map(({ id }) => id),
  'spaces that are searched': async (who) =>
    (await who.api.analytics.searchSpaces({ search: 'space', limit: 100 })).spaces.map(({ id }) => id),
}

describe('a list shows a limited manager only what the record covers', () => {
  test.each(Object.keys(LISTS))('%s', async (name) => {
    const idsOf = LISTS[name] as (who: Member) => Promise<readonly (number | null)[]>
    const isOfReports = name.startsWith('reports')
    const wanted = PLACES.map((place) => (isOfReports ? stage.sets[place].scene.feed : stage.sets[place].scene.space.id))
    const sorted = (ids: readonly (number | null)[]) => [...new Set(ids)].sort((a, b) => (a ?? 0) - (b ?? 0))
    expect(sorted(await idsOf(here))).toEqual(sorted(wanted))
    const others = await idsOf(elsewhere)
    expect(others.filter((id) => id === null || wanted.includes(id))).toEqual([])
    const everything = await idsOf(stage.people.administrator)
    expect(everything).toEqual(expect.arrayContaining(wanted))
    if (name !== 'popular spaces' && !name.startsWith('spaces')) expect(everything.length).toBeGreaterThan(wanted.length)
  })

  test('scheduled feeds of others', async () => {
    const list = async (who: Member, space: number) =>
      (await who.raw('GET', `/scheduled-posts?space_id=${space}&user_id=${stage.people.author.id}`)).body.posts?.map(
        (row: { id: number }) => row.id,
      )
    for (const place of PLACES) {
      const { scene, scheduled } = stage.sets[place]
      expect(await list(here, scene.space.id)).toEqual([scheduled])
      expect(await list(elsewhere, scene.space.id)).toBeUndefined()
    }
  })
})

/** Each of these alone permits work inside spaces, and therefore finding their content. */
const WORKING = ['manage_feeds', 'manage_comments', 'manage_spaces', 'manage_space_members', 'moderate_spaces', 'resolve_reports'] as const

describe('lists show a secret space to managers with a permission there, and to no others', () => {
  const reaches = ['here', 'everywhere', 'elsewhere'] as const
  test.each(PERMISSIONS.flatMap((permission) => reaches.map((reach) => ({ permission, reach }))))(
    '$permission $reach',
    async ({ permission, reach }) => {
      const who = stage.actors.find(({ name }) => name === `${permission} ${reach}`)?.member as Member
      const { scene } = stage.sets.secret
      const isWorking = reach !== 'elsewhere' && WORKING.some((one) => one === permission)
      const { data } = (await who.api.feeds.list({ user_id: stage.people.author.id, per_page: 100 })).feeds
      const { spaces } = await who.api.spaces.list({ per_page: 100 })
      const found = { feed: data.some(({ id }) => id === scene.feed), space: spaces.some(({ id }) => id === scene.space.id) }
      expect(found).toEqual({ feed: isWorking, space: isWorking })
    },
  )
})
