import { expect, test } from 'vitest'
import { ROUTES } from '../permissions/matrix.ts'
import { FACTS } from './matrix.ts'
import { PEOPLE } from './people.ts'
import { ACTORS } from './rights.ts'
import { RULES } from './rules.ts'

/** Path parameters of objects with a place, a status and an audience: a feed, or something that belongs to one. */
const OBJECTS = ['feed_id', 'feed_slug', 'comment_id', 'reaction_id', 'media_id', 'report_id']
const PERSON = ['username']
/** Objects that belong to a space, a course, a person or the community: covered by the matrix of routes. */
const OTHERS = [
  'id',
  'code',
  'course_id',
  'course_slug',
  'delivery_id',
  'export_id',
  'group_id',
  'key',
  'lesson_id',
  'lesson_slug',
  'notification_id',
  'option_slug',
  'quiz_id',
  'request_id',
  'section_id',
  'source',
  'space_id',
  'space_slug',
  'topic_id',
  'user_id',
  'webhook_id',
]

const named = [...ROUTES].map(([id, { path }]) => ({ id, names: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string) }))
const naming = (list: readonly string[]) => named.filter(({ names }) => names.some((name) => list.includes(name))).map(({ id }) => id)

test('every path parameter has a known meaning', () => {
  const known = new Set([...OBJECTS, ...PERSON, ...OTHERS])
  expect(named.flatMap(({ id, names }) => names.filter((name) => !known.has(name)).map((name) => `${id}: ${name}`))).toEqual([])
})

test('there are rules for every operation on an object, or on a user by name', () => {
  // A report names its object in the body.
  expect(Object.keys(RULES).toSorted()).toEqual([...naming(OBJECTS), 'moderation.report'].toSorted())
  expect(Object.keys(PEOPLE).toSorted()).toEqual(naming(PERSON).toSorted())
})

test('the matrix has its full size', () => {
  const rules = Object.values(RULES).flat().length
  expect(rules).toBeGreaterThanOrEqual(38)
  expect(rules * ACTORS.length * FACTS.length).toBeGreaterThanOrEqual(29_000)
})
