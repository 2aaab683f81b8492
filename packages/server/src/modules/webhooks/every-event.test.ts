import { WEBHOOK_EVENTS, type WebhookEvent } from '@lyceum/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLesson, makeSchool, makeSection } from '#test/course-fixtures.ts'
import { grant } from '#test/fixtures.ts'
import { makeQuiz, submit, THREE, truths } from '#test/quiz-stage.ts'
import { LOOPBACK, type Receiver, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let receiver: Receiver
let admin: Member
let ana: Member
let ben: Member

const PASSWORD = 'Quiet-river-7431'
const sentTo = (path: string) => receiver.seen.filter((got) => got.path === `/${path}`).map(({ body }) => body)
const eventsAt = (path: string) => [...new Set(sentTo(path).map(({ event }) => event as WebhookEvent))].sort()
const hook = (who: Member, path: string) =>
  who.api.webhooks.create({ name: path, url: `${receiver.url}/${path}`, events: [...WEBHOOK_EVENTS] })

const writing = async () => {
  const feed_id = (await ana.api.feeds.create({ title: 'A question', message: 'Why?', type: 'question' })).data.id
  await ana.api.feeds.update({ feed_id, message: 'Why is that?' })
  for (const is_sticky of [true, false]) await admin.api.feeds.update({ feed_id, is_sticky })
  const comment_id = (await ben.api.comments.create({ feed_id, comment: 'Because' })).data.id
  const place = { feed_id, comment_id }
  await ben.api.comments.update({ ...place, comment: 'Because it is' })
  await ana.api.comments.markHelpful(place)
  await ana.api.comments.unmarkHelpful(place)
  for (const _ of ['added', 'removed']) await ben.api.reactions.toFeed({ feed_id, type: 'like' })
  await world.runPendingJobs()
  await ben.api.comments.remove(place)
  await ana.api.feeds.remove({ feed_id })
}

const spaces = async () => {
  const { data } = await admin.api.spaces.create({ title: 'Closed', privacy: 'private' })
  const place = { space_slug: data.slug, user_id: ben.id }
  await ben.api.spaceMembers.join({ space_slug: data.slug })
  await admin.api.spaceMembers.update({ ...place, status: 'active' })
  await admin.api.spaceMembers.update({ ...place, role: 'moderator' })
  await admin.api.spaces.updateById({ space_id: data.id, title: 'Still closed' })
  await world.runPendingJobs()
  await admin.api.spaceMembers.remove(place)
  await admin.api.spaces.removeById({ space_id: data.id })
}

const people = async () => {
  await ben.api.profiles.update({ username: 'me', short_description: 'I garden.' })
  await ben.api.followers.follow({ username: ana.username })
  await ben.api.followers.unfollow({ username: ana.username })
  await admin.raw('PUT', '/settings', { approval_required: true })
  await world.anonymous.auth.register({ username: 'newcomer', email: 'n@example.org', password: PASSWORD, display_name: 'New' })
  await admin.raw('PUT', '/settings', { approval_required: false })
  await world.anonymous.auth.register({ username: 'second', email: 's@example.org', password: PASSWORD, display_name: 'Second' })
  const cem = await world.member()
  await admin.api.members.update({ user_id: cem.id, status: 'suspended' })
  await admin.raw('POST', '/admin/managers', { user_id: ben.id, role: 'moderator', permissions: ['pin_feeds'] })
  await admin.api.managers.remove({ user_id: ben.id })
  await admin.api.privacy.deleteMember({ user_id: cem.id, content: 'anonymise' })
}

const courses = async () => {
  const school = await makeSchool(admin, { status: 'draft', lessons: 1, students: [ana, ben] })
  const { courseId: course_id } = school
  await admin.api.courses.update({ course_id, status: 'published' })
  await ana.api.progress.complete({ course_id, lesson_id: school.lessons[0] as number })
  await world.runPendingJobs()
  const section = await makeSection(admin, course_id)
  await admin.api.lessons.remove({ course_id, lesson_id: await makeLesson(admin, course_id, section) })
  await admin.api.adminCourses.removeStudent({ course_id, user_id: ben.id })
  const quiz = await makeQuiz(world, { questions: THREE, students: [ana], owner: admin })
  await submit(ana, quiz, truths(true, true, true))
  await world.runPendingJobs()
  await admin.api.courses.remove({ course_id })
}

const reports = async () => {
  const report = async (message: string) => {
    const object_id = (await ana.api.feeds.create({ message })).data.id
    return (await ben.api.moderation.report({ object_id, object_type: 'feed', reason: 'spam', description: 'Again' })).id
  }
  await admin.api.moderation.update({ report_id: await report('Buy this'), status: 'dismissed' })
  await admin.api.moderation.update({ report_id: await report('And this'), status: 'resolved', action_taken: 'warning' })
}

beforeAll(async () => {
  world = await createWorld({ env: LOOPBACK })
  receiver = await startReceiver()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  ben = await world.member()
  const manager = await world.member({ role: 'manager' })
  await grant(world, manager, ['manage_webhooks'])
  await hook(admin, 'everything')
  await hook(manager, 'public')
  for (const act of [writing, spaces, people, courses, reports]) {
    await act()
    await world.runPendingJobs()
  }
})
afterAll(async () => {
  await receiver.stop()
  await world.close()
})

describe('webhooks', () => {
  it('get every event that they can subscribe to', () => {
    expect(eventsAt('everything')).toEqual([...WEBHOOK_EVENTS].sort())
  })

  it('get payloads as documented', async () => {
    const document = JSON.parse((await world.request('GET', '//api/v2/openapi.json')).text)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ ...document, $id: 'https://lyceum.example/openapi' })
    for (const body of sentTo('everything')) {
      const path = `/webhooks/${body.event}/post/requestBody/content/application~1json/schema`
      const validate = ajv.compile({ $ref: `https://lyceum.example/openapi#${path}` })
      expect({ event: body.event, valid: validate(body), errors: validate.errors }).toMatchObject({ valid: true })
    }
  })

  it('get what concerns other people’s accounts, progress, reports and join requests only if their creator may see it', () => {
    const seen = eventsAt('public')
    for (const event of ['feed.created', 'course.published', 'lesson.published', 'comment.marked_helpful']) expect(seen).toContain(event)
    const hidden: WebhookEvent[] = [
      ...(['space.join_requested', 'space.member_updated', 'user.approval_requested', 'user.warned', 'user.deleted'] as const),
      ...(['course.deleted', 'course.enrolled', 'course.unenrolled', 'course.completed', 'lesson.deleted', 'lesson.completed'] as const),
      ...(['quiz.submitted', 'quiz.graded', 'report.created', 'report.updated', 'report.resolved', 'manager.changed'] as const),
    ]
    expect(hidden.filter((event) => seen.includes(event))).toEqual([])
  })
})
