import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeQuiz, submit, THREE } from '#test/quiz-stage.ts'
import { createWorld, type RawAnswer, type World } from '#test/world.ts'
import { expectNoEffect, hiddenContent, makeStage, type Stage, scopedManager } from './stage.ts'

let world: World
let stage: Stage

beforeAll(async () => {
  world = await createWorld()
  stage = await makeStage(world)
})
afterAll(() => world.close())

const PROTOTYPE = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']

describe('vuln-19: the name of a prototype property', () => {
  test('is not a role, order or reaction', async () => {
    const { admin, attacker } = stage
    const { data } = await stage.victim.api.feeds.create({ message: 'x', space_id: stage.open.id })
    await expectNoEffect(world, async () => {
      for (const word of PROTOTYPE) {
        const answers: readonly (readonly [RawAnswer, string])[] = [
          [await admin.raw('POST', '/admin/managers', { user_id: attacker.id, role: word }), 'invalid_role'],
          [await admin.raw('PUT', `/admin/managers/${admin.id}`, { permissions: [word] }), 'invalid_data'],
          [await attacker.raw('POST', `/feeds/${data.id}/react`, { type: word }), 'invalid_reaction_type'],
          [await attacker.raw('GET', `/feeds?order_by_type=${word}`), 'invalid_parameter'],
        ]
        for (const [answer, code] of answers) expect([word, answer.status, answer.body.code]).toEqual([word, 400, code])
      }
    })
  })

  test('is not a preference key', async () => {
    const path = `/profile/${stage.attacker.username}/notification-preferences`
    const before = (await stage.attacker.raw('GET', path)).body.data
    for (const word of PROTOTYPE) {
      for (const group of ['email_notifications', 'push_notifications']) {
        const { status } = await stage.attacker.raw('POST', path, `{"${group}":{"${word}":true},"${word}":{"mention":false}}`)
        expect([200, 400]).toContain(status)
      }
    }
    expect((await stage.attacker.raw('GET', path)).body.data).toEqual(before)
    expect(({} as Record<string, unknown>)['mention']).toBeUndefined()
  })

  test('is not a question and answers none', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, students: [stage.attacker] })
    for (const word of PROTOTYPE) {
      const sent = `{"answers":{"${word}":{"a":true,"b":true,"c":true}}}`
      const { status, body } = await stage.attacker.raw('POST', `${quiz.path}/submit`, sent)
      if (status === 201) expect([word, body.quiz_result.score]).toEqual([word, 0])
      else expect([word, status]).toEqual([word, 400])
    }
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })
})

describe('vuln-20: no input becomes part of a statement', () => {
  const ATTACKS = [
    `')) OR 1=1--`,
    `id; DROP TABLE users`,
    `(select password_hash from users)`,
    `created_at desc, (select 1)`,
    `$.a"`,
    `a'||'b`,
  ]

  test('as an order, direction, metric or interval', async () => {
    const { admin, attacker } = stage
    const course = await makeQuiz(world, { questions: THREE })
    const members = (await admin.raw('GET', '/members')).body.members.length
    for (const attack of ATTACKS.map(encodeURIComponent)) {
      for (const path of [
        `/members?orderby=${attack}`,
        `/members?order=${attack}`,
        `/spaces?orderby=${attack}`,
        `/spaces?order=${attack}`,
        `/courses?orderby=${attack}`,
        `/feeds?order_by_type=${attack}`,
        `/notifications?orderby=${attack}`,
        `/analytics/members/top-members?metric=${attack}`,
        `/analytics/overview/activity?interval=${attack}`,
        `${course.admin}?orderby=${attack}`,
        `${course.admin}?order=${attack}`,
      ]) {
        const { status, body } = await admin.raw('GET', path)
        expect([path, status, body.code]).toEqual([path, 400, expect.stringMatching(/^invalid_(?:parameter|filter)$/)])
      }
      expect((await attacker.raw('GET', `/feeds?search=${attack}`)).body.feeds.total).toBe(0)
    }
    expect((await admin.raw('GET', '/members')).body.members.length).toBe(members)
  })

  test('as a key of meta or of quiz answers', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, students: [stage.attacker] })
    for (const attack of ATTACKS) {
      const { data } = await stage.attacker.api.feeds.create({ message: 'x', meta: { [attack]: { [attack]: 1 } } })
      expect((await stage.attacker.api.feeds.byId({ feed_id: data.id })).data.meta).toEqual({ [attack]: { [attack]: 1 } })
      const { quiz_result } = await submit(stage.attacker, quiz, { a: false, b: false, c: attack, [attack]: true })
      expect([attack, quiz_result.score]).toEqual([attack, 0])
    }
  })
})

test('vuln-21: hidden columns are not an oracle', async () => {
  const { attacker, victim, admin, secret } = stage
  const moderator = await world.member({ role: 'moderator' })
  const analyst = await scopedManager(world, ['view_analytics'], [stage.open])
  const quiz = await makeQuiz(world, { questions: THREE, students: [attacker] })
  await hiddenContent(stage)
  for (const [who, path, status] of [
    [moderator, `/admin/managers?search=${admin.email}`, 403],
    [moderator, '/admin/managers?search=a@b', 403],
    [attacker, '/admin/managers?search=a@b', 403],
    [attacker, quiz.admin, 403],
    [attacker, `${quiz.admin}?orderby=user_email`, 400],
    [admin, `${quiz.admin}?orderby=user_email`, 400],
    [attacker, `/analytics/spaces/search?search=${secret.slug}`, 403],
    [admin, '/members?orderby=email', 400],
    [attacker, '/members?orderby=password_hash', 400],
  ] as const) {
    expect([path, (await who.raw('GET', path)).status]).toEqual([path, status])
  }
  // Neither an email address nor a hidden space changes a count.
  for (const search of [victim.email, victim.email.slice(0, 9), 'example.org', 'example']) {
    const { data, total } = (await attacker.raw('GET', `/members?search=${encodeURIComponent(search)}`)).body.members
    const words = search.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    const unnamed = data.filter(({ username, display_name }: { username: string; display_name: string }) =>
      words.some((word) => !`${username} ${display_name}`.toLowerCase().includes(word)),
    )
    expect([search, total, unnamed]).toEqual([search, data.length, []])
    expect(JSON.stringify(data)).not.toContain('example.org')
  }
  const found = await analyst.raw('GET', `/analytics/spaces/search?search=${encodeURIComponent('Space')}`)
  expect([found.status, found.text.includes(secret.slug)]).toEqual([200, false])
  for (const search of ['About', 'a draft', 'for later', 'held']) {
    const { total, data } = (await attacker.raw('GET', `/feeds?search=${encodeURIComponent(search)}`)).body.feeds
    expect([search, total, data]).toEqual([search, 0, []])
  }
})
