import { expect, test } from 'vitest'
import { nameAll, personAt } from './people.ts'

const COUNT = 5_000
const names = nameAll(COUNT, 1)
const people = Array.from({ length: COUNT }, (_, index) => personAt(index, 1, names))

test('usernames are valid and unique, and stay so in large communities', () => {
  const many = nameAll(100_000, 2).usernames
  expect(new Set(many).size).toBe(many.length)
  expect(many.filter((username) => !/^[a-z0-9_-]{3,30}$/.test(username))).toEqual([])
  expect(people.map(({ username }) => username)).toEqual(names.usernames)
})

test('everybody has a name, and texts stay within their limits', () => {
  for (const person of people) {
    expect(person.display_name.trim().length).toBeGreaterThan(1)
    expect(person.display_name.length).toBeLessThanOrEqual(60)
    expect(Buffer.byteLength(person.short_description)).toBeLessThan(500)
    expect(person.short_description).not.toMatch(/[{}|]|undefined/)
    expect(person.email).toMatch(/^[a-z0-9_-]+@example\.(?:org|com|net)$/)
    if (person.website) expect(new URL(person.website).hostname).toMatch(/(?:^|\.)example\.(?:org|com)$/)
  }
})

test('people come from many places, some write their name in another script, some leave things out', () => {
  expect(new Set(people.map(({ language }) => language)).size).toBe(10)
  for (const script of [/\p{Script=Han}/u, /\p{Script=Arabic}/u, /\p{Script=Cyrillic}/u, /\p{Script=Devanagari}/u, /\p{Script=Hangul}/u]) {
    expect(people.some(({ display_name }) => script.test(display_name))).toBe(true)
  }
  expect(people.filter(({ language }) => language === 'en').length).toBeGreaterThan(COUNT * 0.4)
  const share = (holds: (person: (typeof people)[number]) => boolean) => people.filter(holds).length / COUNT
  expect(share(({ website }) => website !== '')).toBeCloseTo(0.22, 1)
  expect(share(({ short_description }) => short_description === '')).toBeGreaterThan(0.1)
  expect(new Set(people.map(({ display_name }) => display_name)).size).toBeGreaterThan(COUNT * 0.6)
})

test('the same seed gives the same people, another one others', () => {
  expect(nameAll(200, 1).usernames).toEqual(names.usernames.slice(0, 200))
  expect(nameAll(200, 3).usernames).not.toEqual(names.usernames.slice(0, 200))
})
