import { api, type Route } from '@lyceum/contract'
import { makeSchool, type School } from './course-fixtures.ts'
import { makeSpace, type Space } from './fixtures.ts'
import { asFile, fieldPart, filePart, form } from './media.ts'
import { makeQuiz, type QuizPlace, submit, THREE, truths } from './quiz-stage.ts'
import type { Member, World } from './world.ts'

/** A value used by hostile bodies; no valid row contains it. */
export const NUMBER = 777_000_777
export const TEXT = 'hostile-zqx'
export const DATE = '1991-09-09 09:09:09'
export interface Scene {
  readonly space: Space
  readonly feed: number
  readonly comment: number
  readonly reaction: number
  readonly password: number
  readonly group: number
  readonly media: number
  readonly topic: number
  readonly school: School
  /** With a submission by `other`. */
  readonly quiz: QuizPlace & { readonly quiz_id: number }
  readonly other: Member
}

export const PDF = '%PDF-1.7 nothing'

interface Cast {
  readonly author: Member
  readonly member: Member
  readonly spaceModerator: Member
  readonly spaceAdmin: Member
  readonly administrator: Member
  /** The owner of these objects; `password` is the id of one of their application passwords. */
  readonly other: Member
  readonly password: number
}

/** One object of every kind that API paths refer to. */
export const makeScene = async (world: World, cast: Cast): Promise<Scene> => {
  const { author, member, spaceModerator, spaceAdmin, administrator, other, password } = cast
  const space = await makeSpace(world, { members: [author, member, other], moderators: [spaceModerator], admins: [spaceAdmin] })
  const survey = { question: 'Q', options: ['a', 'b'].map((slug) => ({ slug, label: slug })) }
  const { data: file } = await author.api.media.upload({ file: asFile(PDF, 'notes.pdf') })
  const meta = { survey, media_items: [{ url: file.file_url }] }
  const feed = (await author.api.feeds.create({ message: 'A feed', space_id: space.id, meta })).data.id
  const comment = (await author.api.comments.create({ feed_id: feed, comment: 'A comment' })).data.id
  const { space_group } = await administrator.api.spaceGroups.create({ title: 'Group' })
  const topic = (await administrator.api.adminTopics.create({ title: 'Topic' })).id
  const school = await makeSchool(administrator, { lessons: 1, students: [author, other] })
  const quiz = await makeQuiz(world, { questions: THREE, students: [author, other] })
  const quiz_id = (await submit(other, quiz, truths(true, false, false))).quiz_result.id
  return {
    space,
    feed,
    comment,
    reaction: 1,
    password,
    group: space_group.id,
    media: file.id,
    topic,
    school,
    quiz: { ...quiz, quiz_id },
    other,
  }
}

const DEVICE = {
  p256dh: 'BA8btVObzPTDjZZXP_sbnm3d93K8SzS5c0WydInZuYHL4jPOnQpCshmmKIkrahewbWaMf1Dt-xY3xO0mJ9yNvqI',
  auth: 'tBHItJI5svbpez7KI4CCXg',
}

/** A valid body for each operation that has one. */
export const BODIES: Readonly<Record<string, (scene: Scene, who: Member) => object>> = {
  'adminCourses.saveLockscreens': () => ({ enabled: true, message: 'Changed' }),
  'adminCourses.addStudent': (_scene, who) => ({ user_id: who.id }),
  'courseCopies.section': ({ school }) => ({ section_id: school.sectionId, from_course_id: school.courseId }),
  'courseSections.create': () => ({ title: 'Another' }),
  'courseSections.reorder': ({ school }) => ({ indexes: { [school.sectionId]: 1 } }),
  'courseSections.update': () => ({ title: 'Changed', status: 'published' }),
  'courseSections.patch': () => ({ title: 'Changed' }),
  'courses.create': () => ({ title: 'A course', description: 'Short', settings: { links: [], html: TEXT } }),
  'courses.update': () => ({ description: 'Changed' }),
  'adminTopics.create': () => ({ title: 'Another' }),
  'adminTopics.update': () => ({ description: 'Changed' }),
  'adminTopics.saveConfig': () => ({ display_style: 'tag', user_can_create: true }),
  'adminLessons.create': ({ school }) => ({ title: 'Another', type: 'lesson', section_id: school.sectionId }),
  'adminLessons.move': ({ school }) => ({ lesson_id: school.lessons[0], section_id: school.sectionId }),
  'adminLessons.reorder': ({ school }) => ({ indexes: { [school.lessons[0] ?? 0]: 1 } }),
  'lessons.update': () => ({ content: '<p>Changed</p>', resources: [{ title: 'x', url: 'https://example.org/', id: NUMBER }] }),
  'lessons.reorder': ({ school }) => ({ lesson_ids: school.lessons }),
  'progress.setCompletion': () => ({ state: 'completed' }),
  'quizzes.submit': () => ({ answers: truths(true, false, true) }),
  'adminQuizzes.grade': () => ({ feedback: 'Seen' }),
  'account.createApplicationPassword': () => ({ name: 'phone' }),
  'account.changePassword': () => ({ current_password: 'Quiet-river-7431', new_password: 'Other-river-9152' }),
  'account.changeEmail': () => ({ current_password: 'Quiet-river-7431', email: 'new@example.net' }),
  'auth.setup': () => ({ token: 'x', username: 'first', email: 'first@example.net', password: 'Quiet-river-7431' }),
  'auth.register': ({ feed }) => ({ username: `new${feed}`, email: `new${feed}@example.net`, password: 'Quiet-river-7431' }),
  'auth.login': (_scene, who) => ({ login: who.username, password: 'Wrong-river-7431' }),
  'auth.forgotPassword': (_scene, who) => ({ login: who.username }),
  'auth.resetPassword': () => ({ token: 'x', password: 'Quiet-river-7431' }),
  'comments.create': () => ({ comment: 'Mine' }),
  'comments.patch': () => ({ is_sticky: true }),
  'comments.update': () => ({ comment: 'Changed' }),
  'feeds.create': ({ space }) => ({ message: 'Mine', space_id: space.id }),
  'feeds.patch': () => ({ comments_disabled: true }),
  'feeds.update': () => ({ message: 'Changed' }),
  'batch.run': () => ({ requests: [{ method: 'GET', path: '/notifications/unread' }] }),
  'feeds.preview': () => ({ content: 'Text' }),
  'leaderboardLevels.save': () => ({ levels: [], points_config: { daily_login: 5 } }),
  'comments.markHelpful': () => ({}),
  'managers.save': (_scene, who) => ({ user_id: who.id, role: 'moderator' }),
  'managers.update': () => ({ permissions: ['pin_feeds'] }),
  'media.upload': () => ({ object_source: 'comment' }),
  'links.save': () => ({ links: [{ title: 'Link', url: 'https://example.org/', id: NUMBER, serial: NUMBER }] }),
  'members.update': () => ({ status: 'active' }),
  'moderation.report': ({ feed }) => ({ object_id: feed, object_type: 'feed', reason: 'spam' }),
  'moderation.update': () => ({ status: 'reviewed' }),
  'moderation.saveConfig': () => ({ blocked_words: ['foulword'] }),
  'moderation.decideFeed': () => ({ decision: 'approve' }),
  'moderation.decideComment': () => ({ decision: 'approve' }),
  'notifications.savePreferences': () => ({ digest_frequency: 'daily' }),
  'privacy.deleteAccount': () => ({ current_password: 'Quiet-river-7431' }),
  // What a deletion erases is tested elsewhere.
  'privacy.deleteMember': () => ({ content: 'neither' }),
  'profiles.update': () => ({ bio: 'Changed' }),
  'push.subscribe': ({ feed }) => ({ endpoint: `https://push.example/${feed}`, keys: DEVICE }),
  'push.unsubscribe': () => ({ endpoint: 'https://push.example/other' }),
  'reactions.toFeed': () => ({ type: 'like' }),
  'reactions.toComment': () => ({ type: 'like' }),
  'account.changeUsername': () => ({ current_password: 'Quiet-river-7431', username: 'another' }),
  'auth.verifyEmail': () => ({ token: 'x' }),
  'auth.confirmEmail': () => ({ token: 'x' }),
  'auth.undoEmailChange': () => ({ token: 'x' }),
  'auth.resendVerification': (_scene, who) => ({ login: who.username }),
  'registrations.reject': () => ({ reason: 'No' }),
  'settings.saveFeatures': () => ({ gif_rating: 'pg', features: { gif_language: 'de', id: NUMBER } }),
  'migrations.saveConfig': () => ({ url: 'https://93.184.215.14/' }),
  'migrations.start': () => ({ items: ['people'], map: { spaces: { a: TEXT } } }),
  'settings.save': () => ({ site_description: 'Changed' }),
  'settings.reset': () => ({ keys: ['site_description'] }),
  'settingsPages.saveGeneral': () => ({ featured_image: '/x.png' }),
  'settingsPages.saveEmail': () => ({ email_footer: 'Below' }),
  'settingsPages.saveMailTexts': () => ({ welcome: { subject: 'Hi', id: NUMBER } }),
  'settingsPages.saveBanner': () => ({ login: { ctaButtons: [{ label: 'x', link: '/x', html: TEXT }] } }),
  'settingsPages.saveAuth': () => ({ login: { form: { title: 'x', html: TEXT } } }),
  'settingsPages.saveMenu': () => ({ mainMenuItems: [{ title: 'x', permalink: '/x', html: TEXT, id: NUMBER }] }),
  'settingsPages.saveCustomization': () => ({ settings: { dark_mode: 'no', html: TEXT } }),
  'settingsPages.saveColors': () => ({ light_config: { body_bg: '#ffffff' } }),
  'settingsPages.savePrivacy': () => ({ user_space_visibility: 'logged_in' }),
  'settingsPages.saveSnippets': () => ({ snippets: { custom_css: 'a{color:red}', custom_js: TEXT } }),
  'settingsPages.saveFollowers': () => ({ is_enabled: 'yes' }),
  'settingsPages.saveLinkProviders': () => ({ configs: ['twitter'] }),
  'settingsPages.testStorage': () => ({ config: { driver: 'local' } }),
  'scheduledPosts.reschedule': () => ({ scheduled_at: '2031-01-01 00:00:00' }),
  'spaceGroups.create': () => ({ title: 'Another' }),
  'spaceGroups.update': () => ({ title: 'Renamed' }),
  'spaceGroups.reorder': ({ group }) => ({ group_ids: [group] }),
  'spaceGroups.reorderSpaces': ({ space }) => ({ space_ids: [space.id] }),
  'spaceGroups.moveSpace': ({ space, group }) => ({ space_id: space.id, group_id: group }),
  'spaceMembers.add': (_scene, who) => ({ user_id: who.id }),
  'spaceMembers.bulkAdd': (_scene, who) => ({ user_ids: [who.id] }),
  'spaceMembers.update': () => ({ role: 'member' }),
  'spaceMembers.remove': ({ other }) => ({ user_id: other.id }),
  'spaces.create': () => ({ title: 'A space' }),
  'spaces.updateBySlug': () => ({ description: 'Changed' }),
  'spaces.updateById': () => ({ description: 'Changed' }),
  'spaces.saveLockscreens': () => ({ enabled: true, lockscreen: [{ heading: 'x', id: NUMBER, html: TEXT }] }),
  'spaces.saveLinks': () => ({ links: [{ title: 'Link', permalink: 'https://example.org/', slug: TEXT, id: NUMBER }] }),
  'surveys.vote': () => ({ option_slug: 'a' }),
  'topics.create': () => ({ title: 'Mine' }),
  'webhooks.create': () => ({
    name: 'Hook',
    url: 'https://93.184.215.14/',
    events: ['feed.deleted'],
    status: 'inactive',
    headers: { 'X-A': 'b' },
  }),
  'webhooks.update': () => ({ retry_count: 1 }),
}

/** All operations that write. */
export const WRITES = Object.entries(api).flatMap(([group, routes]) =>
  Object.entries(routes).flatMap(([name, route]) =>
    (route as Route).method === 'GET' ? [] : [{ id: `${group}.${name}`, route: route as Route }],
  ),
)

/** A path with the ids of a scene; `own` overrides some. */
export const fill = (path: string, scene: Scene, own: Readonly<Record<string, string | number>> = {}): string => {
  const { space, feed, comment, reaction, password, group, media, topic, school, quiz, other } = scene
  const values: Record<string, string | number> = {
    feed_id: feed,
    comment_id: comment,
    reaction_id: reaction,
    media_id: media,
    space_id: space.id,
    space_slug: space.slug,
    user_id: other.id,
    username: 'me',
    request_id: 1,
    notification_id: 1,
    group_id: group,
    topic_id: topic,
    id: password,
    course_id: school.courseId,
    course_slug: school.slug,
    section_id: school.sectionId,
    lesson_id: school.lessons[0] ?? 0,
    lesson_slug: school.lessonSlug,
    webhook_id: 1,
    report_id: 1,
    export_id: 1,
    delivery_id: 1,
    source: 'fluentcommunity',
    ...(path.includes('/quiz') && { course_id: quiz.course_id, lesson_id: quiz.lesson_id, quiz_id: quiz.quiz_id }),
    ...own,
  }
  return path.replace(/\{([^}]+)\}/g, (_match, name: string) => {
    if (!(name in values)) throw new Error(`nobody knows what to put in place of ${name}`)
    return String(values[name])
  })
}

/** A body as sent: JSON, or a form with a file. */
export const sent = (route: Route, body: object): readonly [body: unknown, headers: Record<string, string>] => {
  if (route.method === 'DELETE' && !route.body) return [undefined, {}]
  if (route.consumes !== 'multipart') return [body, {}]
  const fields = Object.entries(body).map(([name, value]) => fieldPart(name, typeof value === 'string' ? value : JSON.stringify(value)))
  const { type, bytes } = form([...fields, filePart(PDF, 'file', 'notes.pdf')])
  return [bytes, { 'content-type': type }]
}
