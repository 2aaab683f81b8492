import { givePassword } from '#test/account-deletion.ts'
import { makeLesson, makeSchool, makeSection } from '#test/course-fixtures.ts'
import { picture, upload } from '#test/media.ts'
import { THREE, truths } from '#test/quiz-stage.ts'
import type { Member, World } from '#test/world.ts'

/** Posts whose texts tests look for. */
export const DRAFT = 'Not finished yet'
export const SECRET_WORDS = 'Between us'

type NewPost = Parameters<Member['api']['feeds']['create']>[0]
type NewComment = Omit<Parameters<Member['api']['comments']['create']>[0], 'feed_id'>

export interface WholeCommunity {
  readonly admin: Member
  readonly ana: Member
  readonly ben: Member
  readonly cleo: Member
  readonly mod: Member
  /** Deletes their account in the end. */
  readonly dora: Member
  readonly eve: Member
}

const setStatus = (world: World, { id }: Member, status: 'suspended' | 'banned' | 'pending') =>
  world.app.services.database.write(async (db) => {
    await db.updateTable('users').set({ status }).where('id', '=', id).execute()
  })

const makePeople = async (world: World): Promise<WholeCommunity> => {
  const admin = await world.member({ username: 'chief', role: 'admin' })
  const [ana, ben, cleo, dora, eve] = [
    await world.member({ username: 'ana', displayName: 'Ana Ĉapelo' }),
    await world.member({ username: 'ben' }),
    await world.member({ username: 'cleo' }),
    await world.member({ username: 'dora' }),
    await world.member({ username: 'eve' }),
  ]
  const mod = await world.member({ username: 'moe', role: 'moderator' })
  for (const who of [ana, admin]) await givePassword(world, who)
  const avatar = await upload(ana, await picture('jpeg', 60, 40), 'me.jpg')
  await ana.api.profiles.update({
    username: 'me',
    first_name: 'Ana',
    last_name: 'Ĉapelo',
    bio: 'I **garden**.',
    lang: 'de',
    location: 'Tartu',
    website: 'https://ana.example',
    avatar: avatar.file_url,
    cover_photo: 'https://pictures.example/sea.jpg',
    social_links: { twitter: 'https://x.example/ana' },
  })
  await cleo.api.profiles.update({ username: 'me', is_private: true })
  await admin.api.members.update({ user_id: ana.id, is_verified: true, badge_slugs: ['founder', 'gardener'] })
  await ana.api.notifications.savePreferences({ username: 'me', digest_frequency: 'daily', email_notifications: { mention: false } })
  await ana.api.followers.follow({ username: 'ben' })
  await ben.api.followers.follow({ username: 'ana' })
  await ben.api.followers.follow({ username: 'cleo' })
  await setStatus(world, await world.member({ username: 'banned' }), 'banned')
  await setStatus(world, await world.member({ username: 'suspended' }), 'suspended')
  await setStatus(world, await world.member({ username: 'waiting' }), 'pending')
  return { admin, ana, ben, cleo, mod, dora, eve }
}

const makePlaces = async ({ admin, ana, ben, cleo, mod, dora, eve }: WholeCommunity) => {
  const { space_group: group } = await admin.api.spaceGroups.create({ title: 'Outdoors', description: 'In the sun' })
  await admin.api.spaceGroups.create({ title: 'Empty', settings: { default_collapsed: true } })
  const logo = await upload(admin, await picture('png', 40, 40), 'logo.png')
  const garden = (await admin.api.spaces.create({ title: 'Garden', description: 'What *grows*' })).data
  const cellar = (await admin.api.spaces.create({ title: 'Cellar', privacy: 'private' })).data
  const attic = (await admin.api.spaces.create({ title: 'Attic', privacy: 'secret' })).data
  await admin.api.spaceGroups.moveSpace({ space_id: garden.id, group_id: group.id })
  await admin.api.spaces.updateBySlug({ space_slug: 'garden', logo: logo.file_url, cover_photo: 'https://pictures.example/garden.jpg' })
  await admin.api.spaces.updateBySlug({
    space_slug: 'cellar',
    settings: { emoji: '🍷', can_request_join: 'yes', custom_lock_screen: 'yes' },
  })
  await admin.api.spaces.saveLinks({
    space_slug: 'garden',
    links: [{ title: 'Cellar', permalink: 'https://example.org/c', privacy: 'members_only', membership_ids: [cellar.id, attic.id] }],
  })
  await admin.api.spaces.saveLockscreens({
    space_slug: 'cellar',
    enabled: true,
    message: 'Members only',
    lockscreen: [{ heading: 'Ask us' }],
  })
  for (const who of [ana, ben, cleo, dora, eve]) await who.api.spaceMembers.join({ space_slug: 'garden' })
  for (const space_slug of [cellar.slug, attic.slug]) await admin.api.spaceMembers.add({ space_slug, user_id: ana.id, role: 'moderator' })
  await cleo.api.spaceMembers.join({ space_slug: 'cellar' })
  await admin.api.spaceMembers.ban({ space_slug: 'garden', user_id: eve.id })
  await admin.api.managers.save({
    user_id: mod.id,
    role: 'moderator',
    permissions: ['manage_comments', 'view_reports'],
    spaces: [garden.id],
  })

  const roses = await admin.api.adminTopics.create({ title: 'Roses', description: 'And thorns', color: '#ff0000' })
  await admin.api.adminTopics.create({ title: 'Wine', space_ids: [cellar.id] })
  await admin.api.adminTopics.create({ title: 'Climbing roses', parent_id: roses.id, admin_only: true })
  return { garden, cellar, attic, roses: roses.id }
}

type Places = Awaited<ReturnType<typeof makePlaces>>

const makePosts = async (world: World, { admin, ana, ben, cleo, dora }: WholeCommunity, { garden, cellar, attic, roses }: Places) => {
  const create = async (who: Member, body: NewPost) => (await who.api.feeds.create(body)).data
  const pictureInText = await upload(ana, await picture('gif', 30, 20), 'rose.gif')
  const attached = await upload(ana, await picture('webp', 64, 48), 'bee.webp')
  const described = await upload(ana, await picture('png', 32, 32), 'ladybird.png')
  const document = await upload(ana, Buffer.from('%PDF-1.7 nothing'), 'plan.pdf')
  const first = await create(ana, {
    title: 'First roses',
    message: `They bloom, @ben!\n\n![a rose](${pictureInText.file_url})`,
    content_type: 'markdown',
    space_id: garden.id,
    topics: [roses],
    featured_image: 'https://pictures.example/rose.jpg',
    meta: { media_items: [{ url: attached.file_url, id: attached.id, type: 'image' }], note: { kept: [1, 'two'] } },
  })
  await create(ana, {
    message: '<p>Some <b>HTML</b></p>',
    content_type: 'html',
    space_id: garden.id,
    meta: { media_items: [{ url: described.file_url, alt: 'A ladybird' }, { url: document.file_url }], comments_disabled: true },
  })
  await create(ben, {
    message: 'Look',
    meta: { gif: { id: 'g1', url: 'https://gifs.example/1.gif', title: 'Waving', width: 20, height: 10 } },
  })
  await create(ben, {
    message: 'Read this',
    meta: {
      preview: {
        url: 'https://news.example/1',
        title: 'News',
        description: 'All of it',
        image: 'https://news.example/1.png',
        type: 'link',
      },
    },
  })
  const options = ['sat', 'sun', 'never'].map((slug) => ({ slug, label: slug }))
  const single = await create(ben, {
    message: 'When?',
    space_id: garden.id,
    content_type: 'survey',
    meta: { survey: { question: 'When?', options } },
  })
  const several = await create(cleo, {
    message: 'Which?',
    meta: { survey: { question: 'Which?', options, allow_multiple: true, show_results: 'after_vote', end_date: '2031-01-01 00:00:00' } },
  })
  await ana.api.surveys.vote({ feed_id: single.id, option_slug: 'sun' })
  await ben.api.surveys.vote({ feed_id: single.id, option_slug: 'sat' })
  await ana.api.surveys.vote({ feed_id: several.id, option_slug: ['never', 'sat'] })
  await create(ana, { title: 'Draft', message: DRAFT, status: 'draft', space_id: garden.id })
  await create(ana, {
    message: 'Soon',
    status: 'scheduled',
    scheduled_at: '2030-06-01 09:00:00',
    timezone: 'Europe/Tallinn',
    auto_publish: true,
    space_id: garden.id,
  })
  await create(ana, { message: 'For followers', privacy: 'private' })
  await create(ana, { message: 'Until tomorrow', expired_at: '2030-01-01 00:00:00' })
  await create(ana, { message: SECRET_WORDS, space_id: attic.id })
  const inCellar = await create(ana, { message: 'Wine', space_id: cellar.id })
  await create(dora, { message: 'I was here', space_id: garden.id })
  const held = await create(ben, { message: 'Perhaps', space_id: garden.id })
  await admin.api.feeds.update({ feed_id: held.id, status: 'pending' })
  await admin.api.feeds.update({ feed_id: (await create(ben, { message: 'Buy now' })).id, status: 'spam' })
  await admin.api.feeds.update({ feed_id: first.id, is_sticky: true })
  const rude = await create(ben, { message: 'Rude words' })
  await admin.api.feeds.update({ feed_id: rude.id, message: 'Kind words', reason: 'Rude' })
  world.clock.advance(60)
  return { first, single, inCellar, rude }
}

type Posts = Awaited<ReturnType<typeof makePosts>>

const makeTalk = async (world: World, { admin, ana, ben, cleo, dora }: WholeCommunity, { first, inCellar }: Posts) => {
  const comment = async (who: Member, body: NewComment) => (await who.api.comments.create({ feed_id: first.id, ...body })).data.id
  const shown = await upload(ben, await picture('png', 24, 24), 'leaf.png')
  const top = await comment(ben, { comment: 'Lovely' })
  await comment(ana, { comment: 'Thank you, @ben', parent_id: top })
  await comment(ben, { comment: 'Mine', meta: { media_items: [{ url: shown.file_url }] } })
  await comment(dora, { comment: 'Bye' })
  const held = await comment(cleo, { comment: 'Hm' })
  await admin.api.comments.update({ feed_id: first.id, comment_id: held, status: 'pending' })
  await admin.api.comments.update({ feed_id: first.id, comment_id: top, is_sticky: true })
  await admin.api.comments.markHelpful({ feed_id: first.id, comment_id: top })
  await ana.api.feeds.create({
    message: `See [this](${world.origin}/feeds/${first.slug}?comment_id=${top}) and ${world.origin}/spaces/garden, or [that](/u/ben).`,
    content_type: 'markdown',
  })
  await ana.api.comments.create({ feed_id: inCellar.id, comment: 'Cheers' })
  await ben.api.reactions.toFeed({ feed_id: first.id, type: 'love' })
  await cleo.api.reactions.toFeed({ feed_id: first.id, type: 'wow' })
  await ana.api.reactions.toComment({ feed_id: first.id, comment_id: top, type: 'like' })
  await ben.api.reactions.toFeed({ feed_id: first.id, react_type: 'bookmark' })
  world.clock.advance(60)
  return { top }
}

const makeReports = async ({ admin, ana, ben, cleo, eve }: WholeCommunity, { rude, single }: Posts, comment: number) => {
  await cleo.api.moderation.report({ object_type: 'feed', object_id: rude.id, reason: 'other', description: 'Not nice' })
  const { id } = await ana.api.moderation.report({ object_type: 'comment', object_id: comment, reason: 'spam' })
  await admin.api.moderation.update({ report_id: id, status: 'dismissed', moderator_note: 'It is fine' })
  await ben.api.moderation.report({ object_type: 'user', object_id: eve.id, reason: 'spam' })
  await cleo.api.moderation.report({ object_type: 'feed', object_id: single.id, reason: 'spam' })
}

const makeCourses = async (world: World, { admin, ana, ben, cleo, dora }: WholeCommunity) => {
  const basics = await makeSchool(admin, {
    category: 'Soil',
    instructor_id: ana.id,
    content: '<p>Dig</p>',
    price: 9.5,
    settings: { emoji: '🌱' },
    students: [ben, cleo, dora],
  })
  const course_id = basics.courseId
  const image = await upload(admin, await picture('png', 48, 32), 'spade.png')
  await admin.api.courses.update({ course_id, featured_image: image.file_url })
  const later = await makeSection(admin, course_id, { title: 'Later', status: 'draft' })
  await makeLesson(admin, course_id, later, {
    title: 'Unfinished',
    status: 'draft',
    resources: [{ title: 'Book', url: 'https://books.example/1' }],
  })
  const quiz = await makeLesson(admin, course_id, basics.sectionId, { type: 'quiz', title: 'Check' })
  const settings = { passing_score: 60, max_attempts: 3, show_correct_answers: false, randomize_questions: false }
  await admin.api.lessons.update({ course_id, lesson_id: quiz, quiz: { settings, questions: THREE } })
  const path = { course_id, lesson_id: quiz }
  const [first = 0, second = 0] = basics.lessons
  await ben.raw('POST', `/courses/${course_id}/lessons/${first}/complete`)
  await ben.api.quizzes.submit({ ...path, answers: truths(true, false, false), time_spent: 40 })
  await admin.api.lessons.update({ course_id, lesson_id: quiz, quiz: { questions: [...THREE, { ...THREE[0], id: 'd', question: 'd?' }] } })
  await ben.api.quizzes.submit({ ...path, answers: { ...truths(true, true, true), d: true } })
  await cleo.api.quizzes.start(path)
  await ben.raw('POST', `/courses/${course_id}/lessons/${second}/complete`)
  await dora.raw('POST', `/courses/${course_id}/lessons/${first}/complete`)

  const next = await makeSchool(admin, { lessons: 1, privacy: 'secret', course_type: 'structured', difficulty: 'advanced' })
  const lockscreen = {
    enabled: true,
    type: 'prerequisite',
    conditions: { required_courses: [course_id] },
    message: 'First things first',
  } as const
  await admin.api.adminCourses.saveLockscreens({ course_id: next.courseId, ...lockscreen })
  const done = await makeSchool(admin, { lessons: 1, students: [cleo] })
  await cleo.raw('POST', `/courses/${done.courseId}/lessons/${done.lessons[0]}/complete`)
  await cleo.api.courses.unenroll({ course_id: done.courseId })

  const { data: lesson } = await ben.api.lessons.byId({ course_id, lesson_id: first })
  await ben.api.comments.create({ feed_id: lesson.feed_id as number, comment: 'Which spade?' })
  world.clock.advance(60)
}

/** What an import leaves of a community that this one came from. */
const addPast = (world: World, { ana }: WholeCommunity, { first }: Posts) =>
  world.app.services.database.write(async (db) => {
    await db.insertInto('username_aliases').values({ alias: 'ana_before', user_id: ana.id }).execute()
    await db
      .insertInto('redirects')
      .values([
        { path: '/members/ana_before', source: 'buddypress', user_id: ana.id },
        { path: '/?p=17', source: 'buddypress', feed_id: first.id },
      ])
      .execute()
  })

/** A community with every kind of record that an archive can have, in all their states. */
export const makeWholeCommunity = async (world: World): Promise<WholeCommunity> => {
  const people = await makePeople(world)
  const places = await makePlaces(people)
  const posts = await makePosts(world, people, places)
  const { top } = await makeTalk(world, people, posts)
  await makeReports(people, posts, top)
  await makeCourses(world, people)
  await addPast(world, people, posts)
  await world.runPendingJobs()
  await people.admin.api.privacy.deleteMember({ user_id: people.dora.id, content: 'anonymise' })
  await world.runPendingJobs()
  world.clock.advance(700)
  await world.runPendingJobs()
  return people
}
