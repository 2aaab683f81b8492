import { basic } from '#test/media.ts'
import { rawGet } from '#test/raw-get.ts'
import type { Member, World } from '#test/world.ts'
import type { CanaryComment, CanaryFeed, CanarySpace, Community, Secret } from './community.ts'
import type { Fault } from './crawl.ts'
import { createNeedles } from './needles.ts'
import { type ActorName, type CourseKind, type FeedKind, knowsLocation, type LocationKind, seesCourse, seesFeed } from './rules.ts'
import type { CanaryCourse } from './schools.ts'

/** How many visible posts, and how many search terms, are asked for. */
const VISIBLE = 40
const WORDS = 24

type Row = Readonly<Record<string, string | number | null>>

/** For outsiders, all spaces are like one of these. */
const locationOf = ({ privacy, status }: Row): LocationKind => {
  if (status === 'draft' || privacy === 'secret') return 'secret published'
  return privacy === 'private' ? 'private published' : 'public published'
}

const kindOf = ({ status, privacy, listed }: Row): FeedKind => {
  if (status !== 'published') return status as FeedKind
  return privacy === 'private' ? 'private' : listed === 0 ? 'expired' : 'published'
}

const surveyOf = ({ meta }: Row): Pick<CanaryFeed, 'survey'> => {
  const { survey } = JSON.parse(String(meta)) as { survey?: { show_results?: CanaryFeed['survey'] } }
  return survey ? { survey: survey.show_results ?? 'always' } : {}
}

const outsiders = (actor: ActorName) => actor === 'administrator'

/**
 * The community that an import made, as outsiders see it: what their spaces, posts, comments, courses and files are, and pieces of the
 * texts that they must not see. Everyone in it is somebody else than the two who ask.
 */
export const readImported = async (world: World, people: { readonly outsider: Member; readonly administrator: Member }) => {
  const { read } = world.app.services.database
  const rows = (
    table: 'feeds' | 'spaces' | 'comments' | 'courses' | 'course_sections' | 'lessons' | 'media' | 'users' | 'topics' | 'topic_spaces',
  ) => read.selectFrom(table).selectAll().execute() as unknown as Promise<Row[]>
  const { needles, show, hide, hideWord, tokensIn } = createNeedles<Secret>()
  const secret = (of: string, sort: Secret['sort']): Secret => ({ token: of, of, sort, seenBy: outsiders })
  const text = (...values: readonly unknown[]) => values.map((value) => String(value ?? '')).join('\n')

  const spaceRows = await rows('spaces')
  const topicRows = await rows('topics')
  const topicSpaces = await rows('topic_spaces')
  const spaces = spaceRows.map((row): CanarySpace => {
    const topic = topicRows.find(({ id }) => topicSpaces.some(({ topic_id, space_id }) => topic_id === id && space_id === row['id']))
    return {
      id: Number(row['id']),
      slug: String(row['slug']),
      title: String(row['title']),
      location: locationOf(row),
      topic: { id: Number(topic?.['id'] ?? 1), slug: String(topic?.['slug'] ?? 'x') },
    } as CanarySpace
  })
  const locationBySpace = new Map(spaces.map(({ id, location }) => [id, location]))

  const courseRows = await rows('courses')
  const courses = new Map(courseRows.map((row) => [row['id'], row]))
  const lessonRows = await rows('lessons')
  const lessons = new Map(lessonRows.map((row) => [row['id'], row]))
  const kindOfCourse = (row: Row | undefined) => `${row?.['privacy']} ${row?.['status']}` as CourseKind
  const seen = (row: Row | undefined) => seesCourse('outsider', kindOfCourse(row))
  /** Some lessons are for everybody who sees the course. */
  const isOpen = (lesson: Row, course: Row | undefined) =>
    lesson['is_preview'] === 1 || String(course?.['settings']).includes('"public_lesson_view":"yes"')

  const mediaRows = await rows('media')
  const mediaOfFeed = new Map(mediaRows.filter(({ object_source }) => object_source === 'feed').map((row) => [row['object_id'], row]))
  const feedRows = await rows('feeds')
  const allFeeds = feedRows.flatMap((row): (CanaryFeed & { readonly row: Row })[] => {
    const lesson = lessons.get(row['lesson_id'])
    if (row['lesson_id'] !== null && lesson && isOpen(lesson, courses.get(lesson['course_id']))) return []
    const location =
      row['lesson_id'] !== null
        ? 'secret published'
        : row['space_id'] === null
          ? 'outside'
          : (locationBySpace.get(Number(row['space_id'])) ?? 'secret published')
    const media = mediaOfFeed.get(row['id'])?.['id']
    return [
      {
        id: Number(row['id']),
        slug: String(row['slug']),
        title: String(row['title']),
        kind: kindOf(row),
        location,
        by: 'author',
        ...surveyOf(row),
        ...(typeof media === 'number' && { media }),
        row,
      },
    ]
  })
  const feedById = new Map(allFeeds.map((feed) => [feed.id, feed]))
  const visible = allFeeds.filter((feed) => seesFeed('outsider', feed))
  const hidden = allFeeds.filter((feed) => !seesFeed('outsider', feed))
  const commentRows = await rows('comments')
  const shownComment = (row: Row) => {
    const feed = feedById.get(Number(row['post_id']))
    return feed !== undefined && row['status'] === 'published' && seesFeed('outsider', feed)
  }

  // ---- what everybody may read, then what they may not
  for (const { row } of visible) show(text(row['title'], row['message'], row['message_rendered'], row['meta']))
  for (const row of commentRows) if (shownComment(row)) show(text(row['message'], row['message_rendered']))
  for (const row of spaceRows) if (knowsLocation('outsider', locationOf(row))) show(text(row['title'], row['description']))
  for (const row of courseRows) if (seen(row)) show(text(row['title'], row['description'], row['content'], row['settings']))
  for (const row of lessonRows)
    if (seen(courses.get(row['course_id']))) show(text(row['title'], isOpen(row, courses.get(row['course_id'])) ? row['content'] : ''))
  const userRows = await rows('users')
  for (const row of userRows)
    show(text(row['display_name'], row['username'], row['short_description'], row['website'], row['social_links']))

  const counts = { texts: 0, short: 0 }
  const conceal = (value: unknown, of: string, sort: Secret['sort']) => {
    counts.texts += 1
    if (!hide(String(value ?? ''), secret(of, sort))) counts.short += 1
  }
  for (const { row, location, kind, id } of hidden) {
    for (const name of ['title', 'message']) if (row[name]) conceal(row[name], `${name} of ${kind} feed ${id} in ${location}`, 'feed')
    const key = mediaOfFeed.get(id)?.['key']
    if (key) hideWord(String(key), secret(`file of feed ${id}`, 'feed'))
  }
  for (const row of commentRows)
    if (!shownComment(row) && feedById.has(Number(row['post_id']))) conceal(row['message'], `comment ${row['id']}`, 'comment')
  for (const row of spaceRows)
    if (!knowsLocation('outsider', locationOf(row)))
      for (const name of ['title', 'description']) if (row[name]) conceal(row[name], `${name} of space ${row['slug']}`, 'space')
  for (const row of courseRows)
    if (!seen(row))
      for (const name of ['title', 'description', 'content'])
        if (row[name]) conceal(row[name], `${name} of course ${row['slug']}`, 'course')
  for (const row of lessonRows)
    if (row['content'] && !(seen(courses.get(row['course_id'])) && isOpen(row, courses.get(row['course_id']))))
      conceal(String(row['content']).replace(/<[^>]*>/g, ' '), `lesson ${row['slug']}`, 'lesson')
  for (const row of userRows) {
    const own = row['id'] === people.outsider.id || row['id'] === people.administrator.id
    if (!own && String(row['email']).includes('@')) hideWord(String(row['email']), secret(`address of ${row['username']}`, 'address'))
  }

  // ---- what is asked for
  // Lists contain all surveys, and who sees their results must be known.
  const some = visible.filter(({ survey }, i) => survey !== undefined || i % Math.max(1, Math.ceil(visible.length / VISIBLE)) === 0)
  const feeds = [...hidden, ...some].map(({ row: _row, ...feed }) => feed)
  const asked = new Set(feeds.map(({ id }) => id))
  const comments = commentRows.flatMap((row): CanaryComment[] => {
    const feed = feedById.get(Number(row['post_id']))
    if (!feed || !asked.has(feed.id)) return []
    return [{ id: Number(row['id']), feedId: feed.id, feed, by: 'author', status: row['status'] as 'published' }]
  })
  const sections = await rows('course_sections')
  const members = userRows.filter(({ status, id }) => status === 'active' && id !== people.outsider.id && id !== people.administrator.id)
  const person = (row: Row | undefined) => ({
    id: Number(row?.['id'] ?? 1),
    username: String(row?.['username'] ?? people.administrator.username),
  })
  const others = Object.fromEntries(members.slice(0, 40).map((row) => [String(row['username']), person(row)]))
  const roles = Object.fromEntries(['author', 'member', 'left', 'banned'].map((name, i) => [name, person(members[i])]))
  const words = [...hidden, ...some].map(({ title, row }) => title || String(row['message']).slice(0, 30)).filter((word) => word.length > 2)
  const community: Community = {
    people: { ...others, ...roles, ...people } as unknown as Community['people'],
    spaces,
    feeds,
    comments,
    courses: courseRows.map(
      (row): CanaryCourse => ({
        kind: kindOfCourse(row),
        id: Number(row['id']),
        slug: String(row['slug']),
        title: String(row['title']),
        category: 'x',
        sections: sections.filter(({ course_id }) => course_id === row['id']).map(({ id }) => Number(id)),
        lessons: lessonRows
          .filter(({ course_id }) => course_id === row['id'])
          .map(({ id, slug, status }) => ({ id: Number(id), slug: String(slug), isPublished: status === 'published' })),
      }),
    ),
    secrets: needles,
    tokensIn,
    words: words.filter((_, i) => i % Math.max(1, Math.ceil(words.length / WORDS)) === 0),
    bookmarked: new Set(),
  }
  return { community, hidden: hidden.length, visible: visible.length, ...counts }
}

/** Requests pages and old addresses: none may tell a secret, and old addresses of what is hidden answer as those of nothing. */
export const visitPages = async (world: World, community: Community, who: Member | null, actor: 'anonymous' | 'outsider') => {
  const faults: Fault[] = []
  let requests = 0
  const visit = async (path: string) => {
    requests += 1
    const { status, text, headers } = await rawGet(world.origin + encodeURI(path), who ? basic(who) : {})
    const told = [text, ...[...headers].map(([, value]) => value)].join('\n')
    for (const token of new Set(community.tokensIn?.(told) ?? []))
      faults.push({ actor, request: path, what: `tells ${community.secrets.get(token)?.of}` })
    return [status, headers.get('location')].join(' ')
  }
  for (const path of [
    ...['/', '/sitemap.xml', '/robots.txt', '/feed.xml'],
    ...community.spaces.flatMap(({ slug }) => [`/spaces/${slug}`, `/spaces/${slug}/feed.xml`]),
    ...community.feeds.map(({ slug }) => `/feeds/${slug}`),
    ...community.courses.map(({ slug }) => `/courses/${slug}`),
  ])
    await visit(path)
  // Guests may know of what every member sees.
  const feeds = new Set(community.feeds.filter((feed) => !seesFeed('outsider', feed)).map(({ id }) => id))
  const spaces = new Set(community.spaces.filter(({ location }) => !knowsLocation('outsider', location)).map(({ id }) => id))
  const courses = new Set(community.courses.filter(({ kind }) => !seesCourse('outsider', kind)).map(({ id }) => id))
  const moved = await world.app.services.database.read.selectFrom('redirects').selectAll().execute()
  for (const { path, feed_id, space_id, course_id } of moved) {
    const answer = await visit(path)
    if (!feeds.has(feed_id ?? 0) && !spaces.has(space_id ?? 0) && !courses.has(course_id ?? 0)) continue
    // An address below that of a visible space leads to the space.
    if (answer !== (await visit(path.replace(/[^/?=&]+$/, 'no-such-thing'))))
      faults.push({ actor, request: path, what: `is answered with ${answer}` })
  }
  return { faults, requests }
}
