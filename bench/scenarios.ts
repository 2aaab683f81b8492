import { api, type Route } from '@lyceum/contract'
import type { People, Person, Subjects } from './data.ts'
import { learningScenarios } from './learning.ts'
import type { School } from './learning-data.ts'
import type { Request } from './load.ts'
import type { Scenario } from './scenario.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const CONNECTIONS = 8
const MANY = 64

export const credentials = ({ username, password }: Person) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})

/** Sentences of typical length; `{n}` makes each text and slug unique. */
const POST = {
  title: 'Notes from meeting {n}',
  message:
    'We went through the plan for the next month. The first draft of the guide is done, two chapters still need a reader, and the ' +
    'workshop moves to the larger room. Please write below what you would like to hear about, and who could bring a projector.',
}
const COMMENT = 'Thank you, that helps a lot. I can take the second chapter, and I will bring what we need on Thursday. {n}'

const PREFIX = '/analytics/'
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
/** Required parameters: a search text, or the last 30 days. */
const wanted = ({ query }: Route): string => {
  const fields = Object.keys(query?.properties ?? {})
  if (fields.includes('search')) return '?search=a'
  return fields.includes('interval') ? `?date_from=${day(29)}&date_to=${day(0)}` : ''
}
/** Every analytics operation with its URL and parameters. */
const FIGURES = Object.values(api.analytics).map((route: Route) => {
  const path = route.path.slice(PREFIX.length)
  return { path, address: `${path}${wanted(route)}` }
})

/** The scenarios in order: reads first, because writes add data to read. */
export const scenarios = (
  root: string,
  { admin, members, crowd }: People,
  { feed, commented, feeds, spaces, words, deepCursor, writers }: Subjects,
  school: School | undefined,
): readonly Scenario[] => {
  const [busy] = members
  const [hottest] = feeds
  if (!busy || hottest === undefined) throw new Error('nobody is there')
  const getAs = (who: Person, path: string): Request => ({ method: 'GET', path: root + path, headers: credentials(who) })
  const get = (path: string): Request => getAs(busy, path)
  const send = (method: 'POST' | 'PATCH', who: Person, path: string, body: object): Request => ({
    method,
    path: root + path,
    headers: { ...credentials(who), ...JSON_TYPE },
    body: JSON.stringify(body),
  })
  const post = (who: Person, path: string, body: object) => send('POST', who, path, body)
  /** One request for each pair of a member and an object, shuffled. */
  const byEverybody = <T>(people: readonly Person[], things: readonly T[], make: (who: Person, thing: T) => Request) =>
    things.flatMap((_, shift) => people.map((who, i) => make(who, things[(shift + i) % things.length]!)))
  const reads = (name: string, title: string, requests: readonly Request[], bar: Scenario['bar']): Scenario => ({
    name,
    title,
    connections: CONNECTIONS,
    requests,
    ...(bar && { bar }),
  })
  /** Minimum ratio to the plain server, and the allowed factor with a million feeds. */
  const share = (ratio: number, p99ToSmall: number) => ({ at10k: { ratio }, at1m: { p99ToSmall } })
  const search = (index: number) => {
    const { word, hits } = words[index]!
    return reads(
      `search-${index + 1}`,
      `search, ${hits.toLocaleString('en')} hits`,
      [get(`/feeds?search=${encodeURIComponent(word)}`)],
      share(0.2, 3),
    )
  }

  return [
    reads('feed-page', 'feed page of ten', [get('/feeds')], share(0.5, 1.5)),
    reads(
      'feed-page-each',
      `feed page, ${crowd.length} members in turn`,
      crowd.map((who) => getAs(who, '/feeds')),
      share(0.3, 1.5),
    ),
    reads('one-feed', 'one feed', [get(`/feeds/${feed}/by-id`)], share(0.55, 1.3)),
    reads('comments', '50 comments', [get(`/feeds/${commented}/comments`)], share(0.55, 1.3)),
    ...(deepCursor
      ? [
          {
            ...reads('deep-page', 'page 10,000 by cursor', [get(`/feeds?cursor=${deepCursor}`)], { at10k: {}, at1m: { p99ToSmall: 1.2 } }),
            small: [get('/feeds')],
          },
        ]
      : []),
    ...words.map((_, index) => search(index)),
    reads('search-nothing', 'search without hits', [get('/feeds?search=zyxwvutsr')], undefined),
    reads('notifications', 'notifications', [get('/notifications')], share(0.4, 1.5)),
    reads('profile', 'profile', [get(`/profile/${busy.username}`)], share(0.4, 1.5)),
    reads('activities', 'activities', [get('/activities')], share(0.4, 1.5)),
    reads('bookmarks', 'bookmarks', [get('/feeds/bookmarks')], share(0.4, 1.5)),
    reads('members', 'members', [get('/members')], share(0.4, 1.5)),
    reads(
      'feed-pages',
      'five feed pages, 8 members',
      byEverybody(members, [1, 2, 3, 4, 5], (who, page) => getAs(who, `/feeds?page=${page}`)),
      undefined,
    ),
    reads('leaderboard', 'leaderboard', [get('/leaderboard')], { at10k: { p99: 20 }, at1m: { p99: 50 } }),
    ...FIGURES.map(({ path, address }) =>
      reads(`figures-${path.replaceAll('/', '-')}`, `analytics/${path}`, [getAs(admin, `/analytics/${address}`)], {
        at10k: { p99: 20 },
        at1m: { p99: 50 },
      }),
    ),
    ...(school ? learningScenarios(school, { student: busy, admin, get: getAs, send }) : []),
    {
      name: 'post',
      title: 'post a feed',
      connections: CONNECTIONS,
      requests: byEverybody(members, spaces, (who, space_id) => post(who, '/feeds', { ...POST, space_id })),
    },
    {
      name: 'comment',
      title: 'comment',
      connections: MANY,
      requests: byEverybody(writers, feeds, (who, id) => post(who, `/feeds/${id}/comments`, { comment: COMMENT })),
      bar: { at10k: { perSecond: 4000 }, at1m: { perSecond: 3000 } },
    },
    {
      name: 'react',
      title: 'toggle a reaction',
      connections: MANY,
      requests: byEverybody(writers, feeds, (who, id) => post(who, `/feeds/${id}/react`, { type: 'like' })),
      bar: { at10k: { perSecond: 5000 }, at1m: { perSecond: 5000 } },
    },
    {
      name: 'react-hot',
      title: 'toggle a reaction, all on one feed',
      connections: MANY,
      requests: writers.map((who) => post(who, `/feeds/${hottest}/react`, { type: 'like' })),
      bar: { at10k: { perSecond: 4000 }, at1m: { perSecond: 4000 } },
    },
  ]
}
