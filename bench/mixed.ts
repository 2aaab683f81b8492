import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@lyceum/sdk'
import type { Request } from './load.ts'
import { type MixedResult, mixedLoad, type Share } from './mixed-load.ts'
import type { Person } from './people.ts'
import type { Lyceum, Place } from './server.ts'

/** Typical activity of a community: 85 % reads and 15 % writes by a thousand members or more. */
export interface Community {
  readonly admin: Person
  readonly crowd: readonly Person[]
  /** Words that some feeds contain. */
  readonly words: readonly string[]
}

export interface Mixed extends MixedResult {
  /** Maximum in MiB; undefined if unknown or if there is no log. */
  readonly rss: number | undefined
  readonly log: number | undefined
}

const CROWD = 1500
const FEEDS = 200
const PROFILES = 300
const LOOK_MS = 500
const JSON_TYPE = { 'content-type': 'application/json' }
const COMMENT = 'Thank you, that helps a lot. I can take the second chapter, and I will bring what we need on Thursday.'
const POST =
  'We went through the plan for the next month. The first draft of the guide is done, and two chapters still need a reader. Please write ' +
  'below what you would like to hear about.'

const credentials = ({ username, password }: Person) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})

/** Feeds that everyone can read, comment on and react to, and members with public profiles. */
const arrange = async (base: string, { admin, crowd }: Community) => {
  const client = createClient({ baseUrl: base, username: admin.username, password: admin.password })
  const feeds: number[] = []
  for (let i = 0; i < FEEDS; i++) feeds.push((await client.feeds.create({ title: `Open letter ${i}`, message: POST })).data.id)
  const names: string[] = []
  const looks = { headers: credentials(crowd[0] ?? admin) }
  for (const { username } of crowd.slice(0, PROFILES)) if ((await fetch(`${base}/profile/${username}`, looks)).ok) names.push(username)
  return { feeds, names }
}

/** Iterates over a list in steps, so that consecutive entries are far apart. */
const pick = <T>(list: readonly T[], n: number, step: number): T => {
  const found = list[(n * step) % list.length]
  if (found === undefined) throw new Error('the list is empty')
  return found
}

const sharesOf = (
  root: string,
  people: readonly Person[],
  feeds: readonly number[],
  names: readonly string[],
  words: readonly string[],
) => {
  const get = (n: number, path: string): Request => ({ method: 'GET', path: root + path, headers: credentials(pick(people, n, 7)) })
  const post = (who: Person, path: string, body: object): Request => ({
    method: 'POST',
    path: root + path,
    headers: { ...credentials(who), ...JSON_TYPE },
    body: JSON.stringify(body),
  })
  let marked = 0
  /** Each member reacts to one feed after the other, and after all of them removes the reactions. */
  const bookmark = (): Request => {
    const n = marked++
    const [round, feed] = [Math.floor(n / people.length), Math.floor(n / people.length) % feeds.length]
    const remove = Math.floor(round / feeds.length) % 2 === 1
    return post(pick(people, n, 1), `/feeds/${feeds[feed]}/react`, { react_type: 'bookmark', ...(remove && { remove }) })
  }
  const shares: readonly Share[] = [
    { kind: 'feed page', percent: 40, make: (n) => get(n, n % 4 === 0 ? `/feeds?page=${2 + (n % 3)}` : '/feeds') },
    { kind: 'one feed', percent: 15, make: (n) => get(n, `/feeds/${pick(feeds, n, 3)}/by-id`) },
    { kind: 'comments', percent: 15, make: (n) => get(n, `/feeds/${pick(feeds, n, 3)}/comments`) },
    { kind: 'notifications', percent: 5, make: (n) => get(n, '/notifications') },
    { kind: 'profile', percent: 5, make: (n) => get(n, `/profile/${pick(names, n, 3)}`) },
    { kind: 'search', percent: 5, make: (n) => get(n, `/feeds?search=${encodeURIComponent(pick(words, n, 1))}`) },
    {
      kind: 'comment',
      percent: 6,
      make: (n) => post(pick(people, n, 11), `/feeds/${pick(feeds, n, 7)}/comments`, { comment: `${COMMENT} ${n}` }),
    },
    { kind: 'reaction', percent: 6, make: (n) => post(pick(people, n, 11), `/feeds/${pick(feeds, n, 7)}/react`, { type: 'like' }) },
    { kind: 'post', percent: 1, make: (n) => post(pick(people, n, 13), '/feeds', { title: `Notes ${n}`, message: POST }) },
    { kind: 'bookmark', percent: 1, make: bookmark },
    { kind: 'mark read', percent: 1, make: (n) => post(pick(people, n, 17), '/notifications/mark-all-read', {}) },
  ]
  return shares
}

const sizeOf = (file: string): number | undefined => {
  try {
    return statSync(file).size / 2 ** 20
  } catch {
    return undefined
  }
}

/** Simulates a community of many members for some time. */
export const runMixed = async (
  place: Place,
  server: Lyceum,
  community: Community,
  how: { readonly connections: number; readonly seconds: number },
): Promise<Mixed> => {
  const people = community.crowd.slice(0, CROWD)
  const { feeds, names } = await arrange(server.base, { ...community, crowd: people })
  const shares = sharesOf(new URL(server.base).pathname, people, feeds, names, community.words)
  await mixedLoad(server.origin, shares, { ...how, seconds: Math.min(5, how.seconds) })
  let [rss, log] = [server.rss(), sizeOf(join(place.dataDir, 'lyceum.db-wal'))]
  const look = setInterval(() => {
    rss = Math.max(rss ?? 0, server.rss() ?? 0) || undefined
    log = Math.max(log ?? 0, sizeOf(join(place.dataDir, 'lyceum.db-wal')) ?? 0) || undefined
  }, LOOK_MS)
  const figures = await mixedLoad(server.origin, shares, how).finally(() => clearInterval(look))
  return { ...figures, rss, log }
}

/** The figures as a table. */
export const mixedTable = ({ perSecond, failed, all, kinds, rss, log }: Mixed): string => {
  const line = (name: string, { count, p50, p99, p999 }: MixedResult['all']) =>
    `${name.padEnd(14)} ${String(count).padStart(9)} ${[p50, p99, p999].map((ms) => ms.toFixed(1).padStart(9)).join(' ')}`
  const mebibytes = (size: number | undefined) => (size === undefined ? '?' : `${size.toFixed(0)} MiB`)
  return [
    `${perSecond.toFixed(0)} requests a second; memory at most ${mebibytes(rss)}, log at most ${mebibytes(log)}`,
    `failed: ${
      Object.entries(failed)
        .map(([what, count]) => `${count} × ${what}`)
        .join(', ') || 'none'
    }`,
    `${'kind'.padEnd(14)} ${'count'.padStart(9)} ${['p50', 'p99', 'p99.9'].map((name) => name.padStart(9)).join(' ')}`,
    line('all', all),
    ...Object.entries(kinds).map(([kind, times]) => line(kind, times)),
    '',
  ].join('\n')
}
