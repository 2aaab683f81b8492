import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '@lyceum/sdk'
import { type Lyceum, lyceum, type Place } from './server.ts'

export interface Person {
  readonly id: number
  readonly username: string
  readonly password: string
}

const SPACES = 60
const MENTIONS = 200
const BOOKMARKS = 100
const OWN_FEEDS = 25
const HELPERS = 3
const PAGE = 100

/** Callers of a sweep and the values of path parameters. */
export interface EndpointFixtures {
  readonly admin: Person
  readonly member: Person
  readonly params: Readonly<Record<string, string | number>>
  /** Values of query parameters without an enum. */
  readonly query: Readonly<Record<string, string | number>>
}

const clientOf = (base: string, { username, password }: Person): Client => createClient({ baseUrl: base, username, password })

const createPerson = async (place: Place, username: string, role: 'admin' | 'member'): Promise<Person> => {
  const who = ['--username', username, '--email', `${username}@sweep.example`, '--password', 'a sweep at noon', '--role', role]
  const { id } = JSON.parse(await lyceum(place, 'user', 'create', ...who, '--json')) as { id: number }
  return { id, username, password: (await lyceum(place, 'user', 'app-password', username, '--name', 'sweep')).trim() }
}

const RECORD = 'sweep.json'

/** Accounts of a sweep; those of an earlier one are reused. */
const peopleOf = async (place: Place): Promise<{ people: Person[]; isNew: boolean }> => {
  const file = join(place.dataDir, RECORD)
  if (existsSync(file)) return { people: JSON.parse(await readFile(file, 'utf8')) as Person[], isNew: false }
  const people = [await createPerson(place, 'sweep-admin', 'admin'), await createPerson(place, 'sweep-busy', 'member')]
  for (let i = 1; i <= HELPERS; i++) people.push(await createPerson(place, `sweep-${i}`, 'member'))
  return { people, isNew: true }
}

/** Objects of every kind for the busy member, as many in a small community as in a large one. */
const plant = async (base: string, admin: Client, busy: Person, helpers: readonly Person[]) => {
  const mine = clientOf(base, busy)
  const others = helpers.map((who) => clientOf(base, who))
  const { spaces } = await admin.spaces.list({ per_page: SPACES })
  for (const { slug } of spaces) await admin.spaceMembers.bulkAdd({ space_slug: slug, user_ids: [busy, ...helpers].map(({ id }) => id) })
  const open = (await mine.spaces.discover({ type: 'joined', per_page: PAGE })).spaces.data.filter(
    ({ permissions: may }) => may.can_create_post && may.can_comment,
  )
  const { feeds } = await mine.feeds.list({ per_page: PAGE })
  const ids = new Set(open.map(({ id }) => id))
  for (const { id } of feeds.data.filter((feed) => ids.has(feed.space_id ?? 0)).slice(0, BOOKMARKS)) {
    await mine.reactions.toFeed({ feed_id: id, react_type: 'bookmark' })
    await mine.comments.create({ feed_id: id, comment: 'I should like to read more of this.' })
  }
  const { members } = await mine.members.list({ per_page: PAGE, page: 2 })
  for (const { username } of members.data.slice(0, PAGE)) await mine.followers.follow({ username })
  for (let i = 0; i < OWN_FEEDS; i++) {
    const { data } = await mine.feeds.create({ message: `Something of mine, number ${i}`, space_id: open[i % open.length]?.id ?? null })
    for (const one of others) {
      await one.comments.create({ feed_id: data.id, comment: 'I say so too.' })
      await one.reactions.toFeed({ feed_id: data.id, type: 'like' })
    }
  }
  for (let i = 0; i < MENTIONS; i++) {
    const one = others[i % others.length] as Client
    const { data } = await one.feeds.create({
      message: `Dear @${busy.username}, this is number ${i}`,
      space_id: open[i % open.length]?.id ?? null,
    })
    if (i % 10 === 0) await others[(i + 1) % others.length]?.moderation.report({ object_type: 'feed', object_id: data.id, reason: 'spam' })
    if (i % 20 === 0) await mine.feeds.create({ message: `Later, number ${i}`, status: 'scheduled', scheduled_at: '2099-01-01 00:00:00' })
  }
  const { courses } = await mine.courses.list({})
  const enterable = courses.data.filter(({ privacy }) => privacy !== 'private' && privacy !== 'secret')
  for (const { id } of enterable.slice(0, 2)) await mine.courses.enroll({ course_id: id })
}

/** Creates missing objects and selects the objects to request with the API. */
export const createEndpointFixtures = async (place: Place, server: Lyceum): Promise<EndpointFixtures> => {
  const { people, isNew } = await peopleOf(place)
  const [admin, member, ...helpers] = people
  if (!admin || !member) throw new Error('nobody is there')
  const root = clientOf(server.base, admin)
  const mine = clientOf(server.base, member)
  if (isNew) {
    await plant(server.base, root, member, helpers)
    await writeFile(join(place.dataDir, RECORD), JSON.stringify(people), { mode: 0o600 })
  }
  const { spaces } = await root.spaces.list({ per_page: SPACES })
  const space = spaces.toSorted((a, b) => b.members_count - a.members_count)[0]
  const { feeds } = await mine.feeds.list({ order_by_type: 'popular', per_page: PAGE })
  const feed = feeds.data.toSorted((a, b) => b.comments_count - a.comments_count)[0]
  const { comments } = await mine.comments.list({ feed_id: feed?.id ?? 0 })
  const { data: writers } = await mine.members.topContributors({ period: 'all', metric: 'posts' })
  const { courses } = await mine.courses.list({})
  const course = courses.data[0]
  const lessons = await root.adminLessons.list({ course_id: course?.id ?? 0 })
  const { topics } = await mine.topics.list({})
  const sections = await root.courseSections.list({ course_id: course?.id ?? 0 })
  return {
    admin,
    member,
    params: {
      username: writers[0]?.username ?? member.username,
      user_id: writers[0]?.id ?? member.id,
      space_slug: space?.slug ?? '',
      space_id: space?.id ?? 0,
      feed_id: feed?.id ?? 0,
      feed_slug: feed?.slug ?? '',
      comment_id: comments[0]?.id ?? 0,
      course_id: course?.id ?? 0,
      course_slug: course?.slug ?? '',
      lesson_id: lessons.lessons[0]?.id ?? 0,
      lesson_slug: lessons.lessons[0]?.slug ?? '',
      section_id: sections.sections[0]?.id ?? 0,
      key: 'timezone',
    },
    query: {
      search: 'an',
      q: 'an',
      mention: 'an',
      user_id: writers[0]?.id ?? member.id,
      'context[user_id]': writers[0]?.id ?? member.id,
      'context[space_id]': space?.id ?? 0,
      space: space?.slug ?? '',
      space_id: space?.id ?? 0,
      topic_slug: topics[0]?.slug ?? '',
      date_from: '2020-01-01',
    },
  }
}
