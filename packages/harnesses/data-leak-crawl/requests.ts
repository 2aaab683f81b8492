import { api, type Route } from '@lyceum/contract'
import { SOAK } from '#test/scale.ts'
import type { CanaryComment, CanaryFeed, CanarySpace, Community } from './community.ts'
import {
  type ActorName,
  knowsLocation,
  runsCourse,
  seesComment,
  seesCommentHistory,
  seesCourse,
  seesFeed,
  seesFeedHistory,
} from './rules.ts'
import type { CanaryCourse, CanaryLesson } from './schools.ts'

/** One request of the crawl. */
export interface CrawlRequest {
  readonly id: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The same request for an object that does not exist. */
  readonly missing?: string
  /** Whether the object exists for an actor; undefined if there is none. */
  readonly exists?: (actor: ActorName) => boolean
  readonly empty?: true
}

interface Field {
  readonly type?: string
  readonly enum?: readonly string[]
}
type Params = Readonly<Record<string, string>>
interface Target {
  readonly params: Params
  readonly missing: Params
  readonly exists: (actor: ActorName) => boolean
  /** It exists, but not what is requested of it. */
  readonly empty?: true
}

const GETS = Object.entries(api).flatMap(([group, routes]) =>
  Object.entries(routes).flatMap(([name, route]) =>
    (route as Route).method === 'GET' && (route as Route).produces !== 'events' ? [{ id: `${group}.${name}`, route: route as Route }] : [],
  ),
)

const NO_ID = '987654321'

const feedTargets = ({ feeds }: Community, of: (feed: CanaryFeed) => Record<string, string>, missing: Record<string, string>): Target[] =>
  feeds.map((feed) => ({ params: of(feed), missing, exists: (actor) => seesFeed(actor, feed) }))
const commentTargets = ({ comments }: Community): Target[] =>
  comments.map((comment: CanaryComment) => ({
    params: { comment_id: String(comment.id) },
    missing: { comment_id: NO_ID },
    exists: (actor) => seesComment(actor, comment),
  }))
const spaceTargets = (
  { spaces }: Community,
  of: (space: CanarySpace) => Record<string, string>,
  missing: Record<string, string>,
): Target[] => spaces.map((space) => ({ params: of(space), missing, exists: (actor) => knowsLocation(actor, space.location) }))

const courseTargets = (
  { courses }: Community,
  of: (course: CanaryCourse) => Record<string, string>,
  missing: Record<string, string>,
): Target[] => courses.map((course) => ({ params: of(course), missing, exists: (actor) => seesCourse(actor, course.kind) }))

const sectionTargets = ({ courses }: Community): Target[] =>
  courses.flatMap(({ id, kind, sections }) =>
    sections.map((section) => ({
      params: { course_id: String(id), section_id: String(section) },
      missing: { course_id: NO_ID, section_id: NO_ID },
      exists: (actor: ActorName) => seesCourse(actor, kind),
    })),
  )

/** Lessons without a quiz have no result. */
const lessonTargets = (
  { courses }: Community,
  paramsOf: (course: CanaryCourse, lesson: Pick<CanaryLesson, 'id' | 'slug'>) => Params,
): Target[] =>
  courses.flatMap((course) =>
    course.lessons.map((lesson) => ({
      params: paramsOf(course, lesson),
      missing: paramsOf(course, { id: Number(NO_ID), slug: 'no-such-lesson' }),
      exists: (actor: ActorName) => seesCourse(actor, course.kind) && (lesson.isPublished || runsCourse(actor)),
      empty: true as const,
    })),
  )

/** Objects for path parameters, by parameter name. Add new parameters here, with who may see the object. */
const TARGETS: Readonly<Record<string, (community: Community) => Target[]>> = {
  feed_id: (all) => feedTargets(all, ({ id }) => ({ feed_id: String(id) }), { feed_id: NO_ID }),
  feed_slug: (all) => feedTargets(all, ({ slug }) => ({ feed_slug: slug }), { feed_slug: 'no-such-feed' }),
  comment_id: commentTargets,
  media_id: (all) =>
    feedTargets({ ...all, feeds: all.feeds.filter(({ media }) => media !== undefined) }, ({ media }) => ({ media_id: String(media) }), {
      media_id: NO_ID,
    }),
  space_id: (all) => spaceTargets(all, ({ id }) => ({ space_id: String(id) }), { space_id: NO_ID }),
  space_slug: (all) => spaceTargets(all, ({ slug }) => ({ space_slug: slug }), { space_slug: 'no-such-space' }),
  course_id: (all) => courseTargets(all, ({ id }) => ({ course_id: String(id) }), { course_id: NO_ID }),
  course_slug: (all) => courseTargets(all, ({ slug }) => ({ course_slug: slug }), { course_slug: 'no-such-course' }),
  'course_id,section_id': sectionTargets,
  'course_id,lesson_id': (all) => lessonTargets(all, (course, { id }) => ({ course_id: String(course.id), lesson_id: String(id) })),
  'course_slug,lesson_slug': (all) => lessonTargets(all, (course, { slug }) => ({ course_slug: course.slug, lesson_slug: slug })),
  // There are no submissions.
  'course_id,quiz_id': (all) =>
    courseTargets(all, ({ id }) => ({ course_id: String(id), quiz_id: '1' }), { course_id: NO_ID, quiz_id: '1' }).map((target) => ({
      ...target,
      empty: true as const,
    })),
  // There are none; their contents have separate tests.
  webhook_id: () => [{ params: { webhook_id: '1' }, missing: { webhook_id: NO_ID }, exists: () => true, empty: true }],
  export_id: () => [{ params: { export_id: '1' }, missing: { export_id: NO_ID }, exists: () => true, empty: true }],
  key: () => [{ params: { key: 'site_name' }, missing: { key: 'no_such_setting' }, exists: () => true, empty: true }],
  source: () => [{ params: { source: 'csv' }, missing: { source: 'phorum' }, exists: () => true, empty: true }],
  code: () => [{ params: { code: '0'.repeat(32) }, missing: { code: '1'.repeat(32) }, exists: () => true, empty: true }],
  username: ({ people }) =>
    Object.values(people).map((who) => ({ params: { username: who.username }, missing: { username: 'no-such-user' }, exists: () => true })),
  // A feed without a survey also responds with 404, indistinguishable from a hidden one.
  'feed_id,option_slug': ({ feeds }) =>
    ['a', 'b'].flatMap((option_slug) =>
      feeds
        .filter(({ survey }, i) => survey || i % 5 === 0)
        .map((feed) => ({
          params: { feed_id: String(feed.id), option_slug },
          missing: { feed_id: NO_ID, option_slug },
          exists: (actor: ActorName) => seesFeed(actor, feed),
          ...(!feed.survey && { empty: true as const }),
        })),
    ),
}

/** Search terms: the secrets, and words in all of their texts. */
const wordsOf = ({ feeds, spaces, courses, people, words }: Community): readonly string[] =>
  words ?? [
    ...Object.keys(people).slice(0, 3),
    ...feeds.map(({ title }) => title),
    ...spaces.flatMap(({ title, topic }) => [title, topic.slug]),
    ...courses.map(({ title }) => title),
    'canary',
    'text',
  ]

/** Only this many objects of a kind are requested in every way. */
const FEW = SOAK > 1 ? 12 : 3
/** Values of a parameter in a pair. */
const MOST_OF_PAIR = SOAK > 1 ? 8 : 3

/** Values of query parameters without an enum. Add new parameters here. */
const VALUES: Readonly<Record<string, (community: Community) => readonly string[]>> = {
  page: () => [],
  per_page: () => ['3'],
  is_read: () => ['true', 'false'],
  search: wordsOf,
  mention: wordsOf,
  minutes: () => ['1440'],
  days: () => ['365'],
  q: wordsOf,
  space: ({ spaces }) => spaces.map(({ slug }) => slug),
  space_id: ({ spaces }) => spaces.map(({ id }) => String(id)),
  user_id: ({ people }) => ['author', 'left', 'banned', 'member'].map((name) => String(people[name as 'left'].id)),
  'context[user_id]': ({ people }) => ['author', 'left', 'banned', 'member'].map((name) => String(people[name as 'left'].id)),
  'context[space_id]': ({ spaces }) => spaces.map(({ id }) => String(id)),
  'context[type]': () => ['whatever'],
  date_from: () => ['2026-03-10'],
  date_to: () => ['2026-03-10'],
  since: () => ['2026-03-01 00:00:00'],
  updated_since: () => ['2026-03-01 00:00:00'],
  parent_id: ({ comments }) => ['0', ...comments.filter((_, i) => i % 12 === 0).map(({ id }) => String(id))],
  file_type: () => ['image', 'application/pdf'],
  url: () => ['https://127.0.0.1/', 'x'],
  topic_slug: ({ spaces }) => ['x', ...spaces.map(({ topic }) => topic.slug)],
  topics: ({ spaces }) => spaces.map(({ topic }) => String(topic.id)),
  disable_sticky: () => ['yes'],
  cursor: () => [],
  with_spaces: () => ['false'],
  include_empty: () => ['true'],
  category: ({ courses }) => courses.map(({ category }) => category),
  instructor_id: ({ people }) => [String(people.administrator.id), String(people.member.id)],
  only_published: () => ['true'],
  section_id: ({ courses }) => courses.flatMap(({ sections }) => sections.slice(0, 1).map(String)),
  topic_id: ({ courses }) => courses.flatMap(({ sections }) => sections.slice(0, 1).map(String)),
  lesson_id: ({ courses }) => courses.flatMap(({ lessons }) => lessons.slice(0, 1).map(({ id }) => String(id))),
  attempt: () => ['latest', '1'],
  include_answers: () => ['false'],
  compare: () => ['true'],
  limit: () => ['100'],
  offset: () => ['5'],
  actor_id: ({ people }) => [String(people.administrator.id)],
  object_id: () => ['1'],
  action: () => ['report.decided'],
  object_type: () => ['feed'],
  include_current_user: () => ['false'],
}

const valuesOf = (community: Community, id: string, name: string, field: Field): readonly string[] => {
  if (field.enum) return field.enum
  const values = VALUES[name]
  if (!values) throw new Error(`the crawl does not know what to put into ${name} of ${id}`)
  return values(community)
}

/** Parameters that filter a list together. */
const PAIRS = [
  ['status', 'user_id'],
  ['status', 'space'],
  ['status', 'search'],
  ['space', 'search'],
  ['order_by_type', 'space'],
  ['type', 'space'],
  ['role', 'status'],
  ['space_id', 'q'],
  ['context[user_id]', 'context[space_id]'],
  ['space_id', 'user_id'],
  ['status', 'category'],
  ['status', 'instructor_id'],
] as const

const some = (values: readonly string[], most: number) => values.filter((_, i) => i % Math.max(1, Math.ceil(values.length / most)) === 0)

/** Queries of a route: each value of each parameter, and some pairs; for most objects only the plain and one combined query. */
const queriesOf = (community: Community, id: string, { query }: Route, oneOfMany: boolean): Record<string, string>[] => {
  const fields = Object.entries((query?.properties ?? {}) as Record<string, Field>)
  const required = (query as { required?: string[] } | undefined)?.required ?? []
  const all = new Map(fields.map(([name, field]) => [name, valuesOf(community, id, name, field)]))
  const whole: Record<string, string> = all.has('per_page') ? { per_page: '100' } : {}
  const base: Record<string, string> = {
    ...whole,
    ...Object.fromEntries(required.map((name) => [name, name.startsWith('date_') ? '2026-03-10' : 'canary'])),
  }
  if (oneOfMany) {
    const crowded = fields.flatMap(([name, field]) => (field.enum ? [[name, field.enum.at(-1) as string]] : []))
    return fields.length === 0 ? [{}] : [base, { ...base, ...(all.has('per_page') && { per_page: '1' }), ...Object.fromEntries(crowded) }]
  }
  const single = [...all].flatMap(([name, values]) => values.map((value) => ({ ...base, [name]: value })))
  const pairs = PAIRS.flatMap(([one, two]) => {
    const [first, second] = [all.get(one), all.get(two)]
    if (!first || !second) return []
    return (SOAK > 1 ? first : some(first, MOST_OF_PAIR)).flatMap((a) =>
      some(second, MOST_OF_PAIR).map((b) => ({ ...base, [one]: a, [two]: b })),
    )
  })
  return [base, ...single, ...pairs]
}

const fill = (path: string, params: Readonly<Record<string, string>>) =>
  path.replace(/\{([^}]+)\}/g, (_match, name: string) => encodeURIComponent(params[name] as string))

/** Operations visible to fewer actors than their objects. */
const HISTORIES: Readonly<Record<string, (community: Community) => Target[]>> = {
  'feeds.revisions': ({ feeds }) =>
    feeds.map((feed) => ({
      params: { feed_id: String(feed.id) },
      missing: { feed_id: NO_ID },
      exists: (actor) => seesFeedHistory(actor, feed),
    })),
  'comments.revisions': ({ comments }) =>
    comments.map((comment) => ({
      params: { comment_id: String(comment.id) },
      missing: { comment_id: NO_ID },
      exists: (actor) => seesCommentHistory(actor, comment),
    })),
}

/** Every GET request of the contract for this community, without further pages. */
export const crawlRequestsOf = (community: Community): CrawlRequest[] =>
  GETS.flatMap(({ id, route }) => {
    const names = Object.keys(route.params?.properties ?? {})
    if (names.length === 0) return queriesOf(community, id, route, false).map((query) => ({ id, path: route.path, query }))
    const targets = HISTORIES[id] ?? TARGETS[names.join()]
    if (!targets) throw new Error(`the crawl does not know what ${id} can be about: ${names.join()}`)
    const all = targets(community)
    return all.flatMap(({ params, missing, exists, empty }, i) =>
      queriesOf(community, id, route, i > 0 && all.length > FEW).map((query) => ({
        id,
        path: fill(route.path, params),
        missing: fill(route.path, missing),
        query,
        exists,
        ...(empty && { empty }),
      })),
    )
  })
