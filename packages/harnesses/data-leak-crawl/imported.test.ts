import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { createWorld, type World } from '#test/world.ts'
import { smallSite } from '../../importers/src/fluentcommunity/small-site.ts'
import { openSource, type Source, type SourceName } from '../../importers/src/index.ts'
import { exportCommunity, importSource } from '../../transfer/src/index.ts'
import { makeCommunity } from './community.ts'
import { crawl } from './crawl.ts'
import { readImported, visitPages } from './imported.ts'

/*
 * LYCEUM_CRAWL_SOURCE, LYCEUM_CRAWL_PLACE and LYCEUM_CRAWL_UPLOADS name a community to import and crawl besides the two small ones.
 */

const TIMEOUT_MS = 3_600_000
/** Few, as lists of a large community are long, and a busy server refuses requests. */
const AT_ONCE = 4
/** A short run sends every other request. */
const EVERY = SOAK > 1 ? 1 : 2
const worlds: World[] = []
afterAll(async () => {
  for (const world of worlds) await world.close()
})
const newWorld = async () => {
  const world = await createWorld()
  worlds.push(world)
  return world
}

/** An archive of a community with spaces of every kind. */
const archive = async (): Promise<Source> => {
  const location = join(mkdtempSync(join(inject('scratch'), 'crawl-')), 'archive')
  const world = await newWorld()
  await makeCommunity(world)
  await exportCommunity(world.app.services, { place: location })
  return openSource('lyceum', location, {})
}

const said = (what: string) => `What ${what} says is meant for few people only`
const PRIVACIES = ['public', 'private', 'secret'] as const

/** A site of the original with a space and a course of every privacy. */
const site = (): Source =>
  smallSite({
    fcom_spaces: [
      ...PRIVACIES.map((privacy, i) => ({ id: i + 1, privacy, title: `The ${privacy} space of the garden`, slug: `${privacy}-space` })),
      ...PRIVACIES.map((privacy, i) => ({
        id: i + 11,
        type: 'course',
        privacy,
        title: `The ${privacy} course of the garden`,
        slug: `${privacy}-course`,
      })),
    ],
    fcom_space_user: PRIVACIES.map((_, i) => ({ space_id: i + 1, user_id: 1, role: 'admin' })),
    fcom_posts: [
      ...PRIVACIES.flatMap((privacy, i) =>
        ['published', 'draft'].map((status, j) => ({
          id: i * 2 + j + 1,
          space_id: i + 1,
          status,
          title: `Title of ${status} in ${privacy}`,
          message: said(`${status} in ${privacy}`),
          slug: `${status}-in-${privacy}`,
        })),
      ),
      ...PRIVACIES.flatMap((privacy, i) => [
        { id: 20 + i, type: 'course_section', space_id: i + 11, title: 'One', slug: `one-${i}`, priority: 1 },
        {
          ...{ id: 30 + i, type: 'course_lesson', space_id: i + 11, parent_id: 20 + i, title: `Lesson ${i}`, slug: `lesson-${i}` },
          ...{ message: `<p>${said(`the lesson in ${privacy}`)}</p>`, priority: 1 },
        },
      ]),
    ],
    fcom_post_comments: PRIVACIES.map((privacy, i) => ({ id: i + 1, post_id: i * 2 + 1, message: said(`the comment in ${privacy}`) })),
  })

const { LYCEUM_CRAWL_SOURCE: name, LYCEUM_CRAWL_PLACE: location, LYCEUM_CRAWL_UPLOADS: uploads } = process.env
const SOURCES: readonly (readonly [name: string, open: () => Promise<Source>, sorts: readonly string[]])[] = [
  ['an archive', archive, ['feed', 'comment', 'space', 'course', 'lesson', 'address']],
  ['a site of the original', async () => site(), ['feed', 'comment', 'space', 'course', 'lesson', 'address']],
  ...(name && location
    ? [[location, () => openSource(name as SourceName, location, uploads ? { uploads } : {}), ['feed', 'comment', 'address']] as const]
    : []),
]

describe.each(SOURCES)('a community imported from %s', (of, open, sorts) => {
  test('shows outsiders no secret, and a server that confused people would be found out', { timeout: TIMEOUT_MS }, async () => {
    const world = await newWorld()
    const source = await open()
    await importSource(world.app.services, source)
    await source.close()
    const outsider = await world.member({ username: 'an-outsider' })
    const administrator = await world.member({ username: 'the-operator', role: 'admin' })
    await world.runPendingJobs()
    const { community, ...numbers } = await readImported(world, { outsider, administrator })
    const [stranger, member] = [
      await crawl(world, community, 'anonymous', { every: EVERY, atOnce: AT_ONCE }),
      await crawl(world, community, 'outsider', { every: EVERY, atOnce: AT_ONCE }),
    ]
    const pages = [await visitPages(world, community, null, 'anonymous'), await visitPages(world, community, outsider, 'outsider')]
    const control = await crawl(world, community, 'administrator', { as: 'outsider', every: 2 * EVERY, atOnce: AT_ONCE })
    const requests = [stranger, member, ...pages].reduce((sum, one) => sum + one.requests, 0)
    report({ ...numbers, secrets: community.secrets.size, requests, compared: stranger.compared + member.compared })
    const faults = [stranger, member, ...pages].flatMap((one) => one.faults)
    expect([of, faults.slice(0, 20)]).toEqual([of, []])
    expect(control.faults.map(({ sort }) => sort)).toEqual(expect.arrayContaining([...sorts]))
    expect(control.faults.some(({ what }) => what === 'is answered otherwise than what does not exist')).toBe(true)
  })
})
