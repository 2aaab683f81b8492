import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AUDIT_ACTIONS, MAIL_TYPES, NOTIFICATION_TYPES, PUSH_TYPES, WEBHOOK_EVENTS } from '@lyceum/sdk/values'
import { describe, expect, it } from 'vitest'

const HERE = resolve('packages/web/src/locales')
const SOURCES = resolve('packages/web/src')
const PLURAL = /_(zero|one|two|few|many|other)$/

type Texts = { readonly [name: string]: string | Texts }

const flat = (texts: Texts, before = ''): [string, string][] =>
  Object.entries(texts).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[before + name, value]] : flat(value, `${before}${name}.`),
  )

const textsOf = (language: string, part: string) => new Map(flat(JSON.parse(readFileSync(join(HERE, language, `${part}.json`), 'utf8'))))
/** Placeholders of a text. A singular form may spell out its count. */
const placeholders = (key: string, text: string) =>
  [...text.matchAll(/\{\{\s*(\w+)/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'count' || !key.endsWith('_one'))
    .sort()
const languages = readdirSync(HERE, { withFileTypes: true }).filter((entry) => entry.isDirectory())
const namespaces = readdirSync(join(HERE, 'en')).map((file) => file.replace('.json', ''))

interface Source {
  readonly file: string
  readonly text: string
  /** Namespaces whose keys it uses without a prefix. */
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

/** Keys used in the code. Of a key built at run time, only the constant beginning is known, marked with a star. */
const used = sources.flatMap(({ file, text, own }) =>
  [...text.matchAll(/\bt\(\s*(['`])([^'`]+)\1/g)].map(([, , key = '']) => {
    const [part, name] = key.includes(':') ? (key.split(':') as [string, string]) : [null, key]
    return { file, namespaces: part ? [part] : own, key: name.includes('${') ? `${name.slice(0, name.indexOf('${'))}*` : name }
  }),
)

const has = (part: string, key: string) => {
  if (!namespaces.includes(part)) return false
  const known = [...textsOf('en', part).keys()].map((name) => name.replace(PLURAL, ''))
  return key.endsWith('*') ? known.some((name) => name.startsWith(key.slice(0, -1))) : known.includes(key)
}

describe.each(namespaces)('texts of %s', (namespace) => {
  it.each(languages.map(({ name }) => name))('have the same keys and placeholders in %s, and none is empty', (language) => {
    const [english, others] = [textsOf('en', namespace), textsOf(language, namespace)]
    expect([...others.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [key, text] of others) {
      expect(text.trim(), key).not.toBe('')
      expect(placeholders(key, text), key).toEqual(placeholders(key, english.get(key) ?? ''))
    }
  })
})

it.each(languages.map(({ name }) => name))('every audit action has a sentence and a label in %s', (language) => {
  const keys = [...textsOf(language, 'audit').keys()]
  for (const part of ['sentence.', 'label.']) {
    const actions = keys.filter((key) => key.startsWith(part)).map((key) => key.slice(part.length))
    expect(AUDIT_ACTIONS.filter((action) => !actions.includes(action))).toEqual([])
    expect(actions.filter((key) => !AUDIT_ACTIONS.some((action) => key === action || key.startsWith(`${action}_`)))).toEqual([])
  }
})

it.each(languages.map(({ name }) => name))('every webhook event has a label in %s', (language) => {
  const events = [...textsOf(language, 'admin').keys()].filter((key) => key.startsWith('event.')).map((key) => key.slice('event.'.length))
  expect(events.sort()).toEqual([...WEBHOOK_EVENTS].sort())
})

it.each(languages.map(({ name }) => name))('every type of notification and every preference has a text in %s', (language) => {
  const keys = new Set([...textsOf(language, 'notifications').keys()].map((key) => key.replace(PLURAL, '')))
  // Moderation decisions come with their own text.
  const wanted = NOTIFICATION_TYPES.filter((type) => type !== 'moderation').map((type) => `text.${type}`)
  const preferences = [...new Set([...MAIL_TYPES, ...PUSH_TYPES])].map((type) => `kind.${type}`)
  expect([...wanted, ...preferences].filter((key) => !keys.has(key))).toEqual([])
})

it('every key used in the code has a text', () => {
  const missing = used.filter(({ namespaces: own, key }) => !own.some((part) => has(part, key)))
  expect(missing.map(({ file, key }) => `${file}: ${key}`)).toEqual([])
  expect(used.length).toBeGreaterThan(30)
})
