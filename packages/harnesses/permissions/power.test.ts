import { PERMISSIONS, type Permission } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#test/actors.ts'
import { grant } from '#test/fixtures.ts'
import { makeStage, type Stage } from '#test/one-of-each.ts'
import { rollBackWrites } from '#test/rollback-helper.ts'
import { everything } from '#test/tables.ts'
import { WRITES } from '#test/valid-bodies.ts'
import { lookAt, outcomesOf } from './matrix.ts'
import { POLICY } from './policy.ts'
import type { Rule, Whom } from './rule.ts'

let stage: Stage
let actors: readonly Actor[]
/** Has every permission, in a space without objects of the stage. */
let elsewhere: Actor
let outsider: Actor

const RULES = Object.values(POLICY).flatMap((part) => Object.entries(part))
const named = (name: string): Actor => actors.find((actor) => actor.name === name) as Actor

beforeAll(async () => {
  stage = await makeStage()
  actors = stage.actors
  outsider = named('outsider')
  elsewhere = { ...named('manage_feeds elsewhere'), name: 'everything elsewhere', permissions: new Set(PERMISSIONS) }
  await grant(stage.world, elsewhere.member as NonNullable<Actor['member']>, PERMISSIONS, [])
  rollBackWrites(stage.world)
}, 60_000)
afterAll(() => stage.world.close())

/** A rule without one of the permitted actors. */
const without = (rule: Rule, permission: Permission): Rule => {
  const isNot = (who: Whom) => ![who].flat().some((one) => one.startsWith(`${permission} `))
  const { through } = rule
  return { ...rule, through: Array.isArray(through) ? (through as Whom[]).filter(isNot) : {} }
}

describe('controls: the matrix detects', () => {
  test.each(PERMISSIONS)('%s allowing more than the table says', async (permission) => {
    const depends = (rule: Rule) => Array.isArray(rule.through) && JSON.stringify(without(rule, permission)) !== JSON.stringify(rule)
    const [id, rules] = RULES.find(([, list]) => list.some(depends)) ?? ['', []]
    const who = [named(`${permission} everywhere`)]
    expect((await lookAt(stage, id, rules, who)).differences).toEqual({})
    const narrowed = rules.filter(depends).map((rule) => without(rule, permission))
    expect(Object.values((await lookAt(stage, id, narrowed, who)).differences).flat()).toContain(who[0]?.name)
  })

  test('responses that are stricter than the table, and those that reveal too much', async () => {
    const rules = (POLICY.feeds['feeds.remove'] ?? []).slice(0, 1)
    const generous = rules.map((rule): Rule => ({ ...rule, through: ['member'] }))
    expect(Object.keys((await lookAt(stage, 'feeds.remove', generous, [outsider])).differences).sort()).toEqual([
      'outside: expected through, found 403 rest_forbidden',
      'public: expected through, found 403 rest_forbidden',
    ])
    const open = rules.map((rule): Rule => ({ ...rule, seen: ['member'] }))
    expect(Object.keys((await lookAt(stage, 'feeds.remove', open, [outsider])).differences)).toEqual([
      'private: expected 403 rest_forbidden, found 404 feed_not_found',
    ])
  })
})

describe('a manager of other spaces is an outsider here, whatever their permissions', () => {
  const rules = RULES.filter(([id]) => WRITES.some((write) => write.id === id))

  test.each(rules)('%s', async (id, list) => {
    const theirs = await outcomesOf(stage, id, list, outsider)
    const his = await outcomesOf(stage, id, list, elsewhere)
    const isGated = (key: string) => his[key]?.startsWith('404') && theirs[key]?.startsWith('403')
    // A person with the permission elsewhere passes the gate and then gets 404.
    const differing = Object.keys(theirs).filter((key) => his[key] !== theirs[key] && !isGated(key))
    expect(differing.map((key) => `${key}: ${theirs[key]}, ${his[key]}`)).toEqual([])
  })
})

test('rolled back requests leave no trace', async () => {
  const before = await everything(stage.world)
  for (const [id, rules] of [...Object.entries(POLICY.feeds), ...Object.entries(POLICY.conversation)])
    await lookAt(stage, id, rules, [named('author'), named('administrator')])
  expect(await everything(stage.world)).toEqual(before)
  const author = named('author').member as NonNullable<Actor['member']>
  const { feed } = stage.sets.public.scene
  await author.api.feeds.update({ feed_id: feed, message: 'Rehearsed only' })
  expect((await author.api.feeds.byId({ feed_id: feed })).data.message).toBe('A question')
})
