import type { Random } from '#test/random.ts'
import type { Node } from './document.ts'

/** Existing values of the community by parameter or field name. */
export interface Pools {
  /** A random value, or undefined if none is known. */
  pick(name: string, random: Random): string | number | undefined
  /** Related values, such as a comment and its feed; undefined if no such pair is known. */
  together(names: readonly string[], random: Random): readonly (string | number)[] | undefined
}

export interface Generator {
  /** Usually a value that matches the schema, and an existing one for known names. */
  valid(schema: Node, name: string, depth?: number): unknown
  /** Called before each request: decides how many optional fields it includes. */
  vary(): void
}

export const PASSWORD = 'Quiet-river-7431'

const WORDS = 'the quick brown river crosses a quiet garden while everyone reads about music science bread and 日本 café'.split(' ')
const URLS = ['https://example.org/', 'https://example.org/a.png?x=1', 'http://example.com/path/to', 'https://media.example.net/i.gif']
const DATETIMES = ['2026-11-20 09:30:00', '2031-01-01T00:00:00', '2040-02-29 23:59:59', '2020-01-01 00:00:00']
const MARKDOWN = [
  '**bold** and _soft_, [a link](https://example.org)',
  '# Title\n\n- one\n- two\n\n> said @member',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '`code` and ```\nblock\n```',
  '<p>Some <b>HTML</b> with <a href="https://example.org">a link</a></p>',
  'https://example.org/auto and @moderator',
]

const META = [
  {
    survey: {
      question: 'Tea or coffee?',
      options: [
        { slug: 'tea', label: 'Tea' },
        { slug: 'coffee', label: 'Coffee' },
      ],
    },
  },
  {
    survey: {
      question: 'Which days?',
      options: ['mon', 'tue', 'wed'].map((slug) => ({ slug, label: slug.toUpperCase() })),
      allow_multiple: true,
      show_results: 'after_vote',
      end_date: '2040-01-01 00:00:00',
    },
  },
  { gif: { id: 'g1', url: 'https://media.example.net/i.gif', width: 100, height: 80, title: 'A cat' } },
  { media_items: [{ url: 'https://example.org/a.png', type: 'image' }, 'https://example.org/b.png'] },
  { preview: { url: 'https://example.org/', title: 'Example', image: '' } },
  { comments_disabled: true },
  { comments_disabled: false, survey: null, own_key: { nested: [1, 2, { three: 3 }] } },
  { topic_ids: [1, 2] },
  {},
]

const NAMED: readonly (readonly [RegExp, (random: Random) => unknown])[] = [
  // The correct password lets an account delete or lock itself, so it is rare; otherwise later requests would be unauthenticated.
  [/current_password/, (random) => (random.oneIn(20) ? PASSWORD : 'Other-river-7432')],
  [/password/, (random) => (random.oneIn(3) ? 'Other-river-7432' : PASSWORD)],
  [/email/, (random) => `person${random.int(1e9)}@example.org`],
  [/^(username|login)$/, (random) => `person${random.int(1e9)}`],
  [/(url|link|website|logo|photo|image|avatar|icon|permalink)s?$/, (random) => random.pick(URLS)],
  [/colou?r/, (random) => random.pick(['#fff', '#0a1b2c', 'red'])],
  [/^(message|comment|content|description|bio|lockscreen)$/, (random) => (random.oneIn(2) ? random.pick(MARKDOWN) : sentence(random))],
  [/^react_type$/, (random) => random.pick(['bookmark', 'like', ''])],
  [/^type$/, (random) => random.pick(['like', 'love', 'laugh', 'wow', 'sad', 'angry'])],
  [/^disable_sticky$/, () => 'yes'],
  [/^keys?$/, (random) => random.pick(['site_name', 'digest_frequency', 'require_approval', 'primary_color'])],
  [/(_at|date|_from|_to)$/, (random) => random.pick(DATETIMES)],
  [/slug/, (random) => `slug-${random.int(1e6)}`],
  [/svg|emoji/, (random) => random.pick(['', '🙂', '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>'])],
]

const sentence = (random: Random) => Array.from({ length: 1 + random.int(12) }, () => random.pick(WORDS)).join(' ')

/** A text for a pattern that has no known name: the first candidate that matches. */
const forPattern = (pattern: string, random: Random): string => {
  const matches = new RegExp(pattern, 'u')
  const candidates = [
    random.pick(DATETIMES),
    '2026-11-20',
    `slug-${random.int(1e6)}`,
    'abc',
    'A1',
    '12:30',
    '#a1b2c3',
    '/feeds?per_page=2',
    sentence(random),
    '1',
  ]
  return candidates.find((candidate) => matches.test(candidate)) ?? sentence(random)
}

export const createGenerator = (random: Random, pools: Pools, resolve: (schema: Node) => Node): Generator => {
  let fullness = 0.35

  const text = (schema: Node, name: string): string => {
    const { minLength = 0, maxLength = 100_000, pattern } = schema as { minLength?: number; maxLength?: number; pattern?: string }
    const named = NAMED.find(([matches]) => matches.test(name))
    let value = named ? String(named[1](random)) : sentence(random)
    if (pattern && !new RegExp(pattern, 'u').test(value)) value = forPattern(pattern, random)
    if (random.oneIn(12) && maxLength < 20_000) value = 'y'.repeat(maxLength)
    return value.padEnd(minLength, 'z').slice(0, maxLength)
  }

  const integer = ({ minimum = -1000, maximum = 1000 }: { minimum?: number; maximum?: number }): number => {
    const low = Math.max(minimum, -(2 ** 53))
    const near = low + random.int(Math.min(maximum - low + 1, 200))
    return random.oneIn(10) ? random.pick([low, Math.min(maximum, 2 ** 53 - 1)]) : near
  }

  const object = (schema: Node, depth: number): Record<string, unknown> => {
    const { properties = {}, required = [] } = schema as { properties?: Record<string, Node>; required?: readonly string[] }
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name) || random.chance(depth > 3 ? 0.1 : fullness))
        .map(([name, property]) => [name, valid(property, name, depth + 1)]),
    )
  }

  const valid = (given: Node, name: string, depth = 0): unknown => {
    const schema = resolve(given)
    const { anyOf, oneOf, allOf, type } = schema as { anyOf?: Node[]; oneOf?: Node[]; allOf?: Node[]; type?: string | string[] }
    if (schema['enum']) return random.pick(schema['enum'] as unknown[])
    if ('const' in schema) return schema['const']
    const choices = anyOf ?? oneOf
    if (choices) return valid(random.pick(choices), name, depth)
    if (allOf) return Object.assign({}, ...allOf.map((each) => valid(each, name, depth)))
    const kind = Array.isArray(type) ? random.pick(type) : type
    const known = kind === 'integer' || kind === 'string' ? pools.pick(name, random) : undefined
    if (known !== undefined && random.chance(0.8)) {
      if (kind === 'string') return String(known)
      if (Number.isSafeInteger(Number(known))) return Number(known)
    }
    switch (kind) {
      case 'string':
        return text(schema, name)
      case 'integer':
        return integer(schema)
      case 'number':
        return random.int(1000) / 8
      case 'boolean':
        return random.oneIn(2)
      case 'null':
        return null
      case 'array': {
        const { items = {}, minItems = 0, maxItems = 5 } = schema as { items?: Node; minItems?: number; maxItems?: number }
        const one = name.replace(/s$/, '')
        return Array.from({ length: Math.max(minItems, random.int(Math.min(maxItems, 4) + 1)) }, () => valid(items, one, depth + 1))
      }
      case 'object':
        return schema['properties'] ? object(schema, depth) : random.pick(META)
      default:
        return random.pick([sentence(random), 1, true, null])
    }
  }

  return {
    valid,
    vary: () => {
      fullness = random.pick([0.1, 0.35, 0.35, 0.9])
    },
  }
}
