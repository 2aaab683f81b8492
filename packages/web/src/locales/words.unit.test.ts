import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AUDIT_ACTIONS, WEBHOOK_EVENTS } from '@lyceum/sdk/values'
import { describe, expect, it } from 'vitest'

const HERE = resolve('packages/web/src/locales')
const SOURCES = resolve('packages/web/src')
const PLURAL = /_(zero|one|two|few|many|other)$/

type Words = { readonly [name: string]: string | Words }

const flat = (words: Words, before = ''): [string, string][] =>
  Object.entries(words).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[before + name, value]] : flat(value, `${before}${name}.`),
  )

const wordsOf = (language: string, part: string) => new Map(flat(JSON.parse(readFileSync(join(HERE, language, `${part}.json`), 'utf8'))))
/** What is filled into a text. A form for one may say its number in a word. */
const holes = (key: string, text: string) =>
  [...text.matchAll(/\{\{\s*(\w+)/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'count' || !key.endsWith('_one'))
    .sort()
const languages = readdirSync(HERE, { withFileTypes: true }).filter((entry) => entry.isDirectory())
const parts = readdirSync(join(HERE, 'en')).map((file) => file.replace('.json', ''))

interface Source {
  readonly file: string
  readonly text: string
  /** The parts whose words it uses without naming them. */
  readonly own: readonly string[]
}

const sources: readonly Source[] = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
  .map((file) => {
    const text = readFileSync(join(SOURCES, file), 'utf8')
    const named = [...text.matchAll(/useTranslation\((?:\[)?((?:'\w+'(?:, )?)+)/g)].flatMap(([, list]) => list?.match(/\w+/g) ?? [])
    const given = [...text.matchAll(/TFunction<'(\w+)'>/g)].map(([, part = '']) => part)
    return { file, text, own: [...named, ...given, 'common'] }
  })

/** Keys that code asks for, as `part:key`; where a key is put together, its beginning, with a star. */
const asked = sources.flatMap(({ file, text, own }) =>
  [...text.matchAll(/\bt\(\s*(['`])([^'`]+)\1/g)].map(([, , key = '']) => {
    const [part, name] = key.includes(':') ? (key.split(':') as [string, string]) : [null, key]
    return { file, parts: part ? [part] : own, key: name.includes('${') ? `${name.slice(0, name.indexOf('${'))}*` : name }
  }),
)

const has = (part: string, key: string) => {
  if (!parts.includes(part)) return false
  const known = [...wordsOf('en', part).keys()].map((name) => name.replace(PLURAL, ''))
  return key.endsWith('*') ? known.some((name) => name.startsWith(key.slice(0, -1))) : known.includes(key)
}

describe.each(parts)('the words of %s', (part) => {
  it.each(languages.map(({ name }) => name))('are the same keys in %s, with the same holes, and none is empty', (language) => {
    const [english, others] = [wordsOf('en', part), wordsOf(language, part)]
    expect([...others.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [key, text] of others) {
      expect(text.trim(), key).not.toBe('')
      expect(holes(key, text), key).toEqual(holes(key, english.get(key) ?? ''))
    }
  })
})

it.each(languages.map(({ name }) => name))('every action of the audit log has a sentence and a label in %s', (language) => {
  const keys = [...wordsOf(language, 'audit').keys()]
  for (const part of ['says.', 'label.']) {
    const actions = keys.filter((key) => key.startsWith(part)).map((key) => key.slice(part.length))
    expect(AUDIT_ACTIONS.filter((action) => !actions.includes(action))).toEqual([])
    expect(actions.filter((key) => !AUDIT_ACTIONS.some((action) => key === action || key.startsWith(`${action}_`)))).toEqual([])
  }
})

it.each(languages.map(({ name }) => name))('every event of webhooks has words in %s', (language) => {
  const events = [...wordsOf(language, 'admin').keys()].filter((key) => key.startsWith('event.')).map((key) => key.slice('event.'.length))
  expect(events.sort()).toEqual([...WEBHOOK_EVENTS].sort())
})

it('there is a word for every key that code asks for', () => {
  const missing = asked.filter(({ parts: own, key }) => !own.some((part) => has(part, key)))
  expect(missing.map(({ file, key }) => `${file}: ${key}`)).toEqual([])
  expect(asked.length).toBeGreaterThan(30)
})
