import type { People, Person, Subjects } from './data.ts'
import { learningScenarios } from './learning.ts'
import type { Request } from './load.ts'
import type { Scenario } from './scenario.ts'
import type { School } from './school.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const CONNECTIONS = 8
const MANY = 64

const credentials = ({ username, password }: Person) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})

/** Sentences of usual length; `{n}` makes each text, and so each slug, one of its own. */
const POST = {
  title: 'Notes from meeting {n}',
  message:
    'We went through the plan for the next month. The first draft of the guide is done, two chapters still need a reader, and the ' +
    'workshop moves to the larger room. Please write below what you would like to hear about, and who could bring a projector.',
}
const COMMENT = 'Thank you, that helps a lot. I can take the second chapter, and I will bring what we need on Thursday. {n}'

/** The scenarios in the order in which they run: reads first, since writes leave more to read. */
export const scenarios = (
  root: string,
  { admin, members }: People,
  { feed, commented, feeds, spaces, words }: Subjects,
  school: School | undefined,
): readonly Scenario[] => {
  const [busy] = members
  if (!busy) throw new Error('nobody is there')
  const get = (path: string): Request => ({ method: 'GET', path: root + path, headers: credentials(busy) })
  const getAs = (who: Person, path: string): Request => ({ ...get(path), headers: credentials(who) })
  const send = (method: 'POST' | 'PATCH', who: Person, path: string, body: object): Request => ({
    method,
    path: root + path,
    headers: { ...credentials(who), ...JSON_TYPE },
    body: JSON.stringify(body),
  })
  const post = (who: Person, path: string, body: object) => send('POST', who, path, body)
  /** One request for each pair of a member and something, mixed. */
  const byEverybody = <T>(things: readonly T[], make: (who: Person, thing: T) => Request) =>
    things.flatMap((_, shift) => members.map((who, i) => make(who, things[(shift + i) % things.length]!)))

  return [
    { name: 'feed-page', title: 'feed page of ten', connections: CONNECTIONS, requests: [get('/feeds')], bar: { ratio: 0.3 } },
    { name: 'one-feed', title: 'one feed', connections: CONNECTIONS, requests: [get(`/feeds/${feed}/by-id`)], bar: { ratio: 0.35 } },
    {
      name: 'comments',
      title: '50 comments',
      connections: CONNECTIONS,
      requests: [get(`/feeds/${commented}/comments`)],
      bar: { ratio: 0.35 },
    },
    {
      name: 'search',
      title: 'search',
      connections: CONNECTIONS,
      requests: words.map((word) => get(`/feeds?search=${encodeURIComponent(word)}`)),
      bar: { ratio: 0.1 },
    },
    { name: 'search-nothing', title: 'search without hits', connections: CONNECTIONS, requests: [get('/feeds?search=zyxwvutsr')] },
    {
      name: 'feed-pages',
      title: 'five feed pages, 8 members',
      connections: CONNECTIONS,
      requests: byEverybody([1, 2, 3, 4, 5], (who, page) => getAs(who, `/feeds?page=${page}`)),
    },
    ...(school ? learningScenarios(school, { student: busy, admin, get: getAs, send }) : []),
    {
      name: 'mixed',
      title: 'feed pages, 1 in 20 comments',
      connections: CONNECTIONS,
      requests: feeds.flatMap((id, i) => [
        ...Array.from({ length: 19 }, () => get('/feeds')),
        post(members[i % members.length] ?? busy, `/feeds/${id}/comments`, { comment: COMMENT }),
      ]),
    },
    {
      name: 'post',
      title: 'post a feed',
      connections: CONNECTIONS,
      requests: byEverybody(spaces, (who, space_id) => post(who, '/feeds', { ...POST, space_id })),
    },
    {
      name: 'comment',
      title: 'comment',
      connections: MANY,
      requests: byEverybody(feeds, (who, id) => post(who, `/feeds/${id}/comments`, { comment: COMMENT })),
      bar: { perSecond: 2500 },
    },
    {
      name: 'react',
      title: 'toggle a reaction',
      connections: CONNECTIONS,
      requests: byEverybody(feeds, (who, id) => post(who, `/feeds/${id}/react`, { type: 'like' })),
    },
  ]
}
