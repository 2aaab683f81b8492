import { describe, expect, test } from 'vitest'
import { createRandom, mix } from './random.ts'
import { TOPICS, VOICES } from './text/data.ts'
import type { Pool } from './text/pool.ts'
import { compile, missingSlots, render, slotLists } from './text/template.ts'
import { createWriter, kindWeights, topicAt, voiceOf } from './text.ts'

const setting = (frame: number, seed: number, lists: Record<string, string[]>) => ({
  frame,
  random: createRandom(seed),
  lists: slotLists(lists),
  mention: () => '@mara',
  op: () => '@tom',
})

describe('templates', () => {
  const lists = { thing: ['apples', 'bread', 'cheese', 'dates'], gear: ['oven', 'pan'] }
  const text = (source: string, frame: number, seed = 1) => render(compile(source), setting(frame, seed, lists))

  test('a slot and a named number are the same all over a frame, whatever the random numbers', () => {
    expect(text('{thing} {k=1-900}', 4, 1)).toBe(text('{thing} {k=1-900}', 4, 2))
    expect(new Set(Array.from({ length: 60 }, (_, frame) => text('{thing}', frame))).size).toBe(4)
  })

  test('a second and a third slot never repeat the first', () => {
    for (let frame = 0; frame < 200; frame++) expect(new Set(text('{thing},{thing2},{thing3}', frame).split(',')).size).toBe(3)
  })

  test('fresh slots and numbers follow the random numbers', () => {
    const seen = Array.from({ length: 80 }, (_, seed) => text('{thing*} {2-4} {10-30/10}', 1, seed))
    expect(new Set(seen.map((each) => each.split(' ')[0])).size).toBe(4)
    expect(new Set(seen.map((each) => each.split(' ')[1]))).toEqual(new Set(['2', '3', '4']))
    expect(new Set(seen.map((each) => each.split(' ')[2]))).toEqual(new Set(['10', '20', '30']))
  })

  test('capitals, articles, people, choices; brackets without a bar are text', () => {
    expect(text('{Thing}', 1)).toMatch(/^[ABCD]/)
    expect(['An oven', 'A pan']).toContain(text('{A gear}', 1))
    expect(text('{op} asks {@}', 1)).toBe('@tom asks @mara')
    expect(['a', 'bc', 'bd']).toContain(text('[a|b[c|d]]', 1))
    expect(text('[x] [text](https://example.org)', 1)).toBe('[x] [text](https://example.org)')
  })

  test('what is missing is named', () => {
    expect(missingSlots(compile('[{thing}|{Unknown}]'), slotLists(lists))).toEqual(['unknown'])
    expect(() => compile('{no such slot}')).toThrow('bad slot')
  })
})

const isPool = (value: unknown): value is Pool => typeof value === 'object' && value !== null && 'templates' in value

/** Every pool within a book, with its path. */
function* pools(value: unknown, path: string): Generator<[string, Pool]> {
  if (isPool(value)) yield [path, value]
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* pools(inner, `${path}.${key}`)
}

describe('material', () => {
  test.each(TOPICS.map(({ key }, index) => [key, index] as const))('%s: all slots are filled', (key, index) => {
    const book = topicAt(index)
    const missing = [...pools({ ...book, lists: null }, key)].flatMap(([path, pool]) =>
      pool.templates.flatMap((template) => missingSlots(template, book.lists).map((name) => `${path}: ${name}`)),
    )
    expect(missing).toEqual([])
  })

  test('what stands in lists is plain, for it is not compiled', () => {
    for (const topic of TOPICS) {
      const entries = [
        ...Object.values(topic.lists).flat(),
        ...topic.tips,
        ...topic.resources.flat(),
        ...topic.polls.flatMap(({ options }) => options),
      ]
      expect(entries.filter((entry) => /[{}|]/.test(entry) || entry.trim() !== entry || entry === '')).toEqual([])
    }
  })

  test('keys of topics differ, and each language has topics', () => {
    expect(new Set(TOPICS.map(({ key }) => key)).size).toBe(TOPICS.length)
    for (const { language } of VOICES) expect(TOPICS.some((topic) => topic.language === language)).toBe(true)
  })

  test('replies that name nothing are there for each language and purpose', () => {
    for (const { language } of VOICES) {
      const { byKind, ...rest } = voiceOf(language).plainReplies
      for (const pool of [...Object.values(rest), byKind.question!]) expect(pool.templates.length).toBeGreaterThan(2)
    }
  })
})

describe('the writer', () => {
  const mention = () => '@mara'
  const LEFTOVER = /undefined|NaN|[{}|]| {2}/
  /** Without what programmers say on purpose. */
  const plain = (text: string) => text.replaceAll(/`[^`]*`|(?:possibly|for) undefined/g, 'x')

  test.each(TOPICS.map(({ key }, index) => [key, index] as const))(
    '%s: posts and comments of each kind hold no leftovers',
    (_key, topic) => {
      const writer = createWriter()
      for (const kind of kindWeights(TOPICS[topic]!).kinds) {
        for (let i = 0; i < 12; i++) {
          const frame = mix(topic, i * 31 + 7)
          const { title, message, survey } = writer.post({ frame, topic, kind, mention })
          const prose = message.replace(/```.*?```/gs, '').replace(/^\|.*\|$/gm, '')
          expect(plain(`${title}\n${prose}`)).not.toMatch(LEFTOVER)
          expect(message).toMatch(/^\S/)
          expect(survey !== null).toBe(kind === 'poll')
          for (let ordinal = 0; ordinal < 4; ordinal++) {
            const comment = writer.comment({
              frame,
              topic,
              kind,
              mention,
              seed: frame + ordinal,
              op: '@tom',
              ordinal,
              reply: ordinal > 1,
              own: ordinal === 3,
            })
            expect(plain(comment)).not.toMatch(LEFTOVER)
            expect(comment).toMatch(/^\S.*\S$|^\S$/s)
          }
        }
      }
    },
  )

  test('titles and messages are not repeated while the material lasts', () => {
    const writer = createWriter()
    const topic = TOPICS.findIndex(({ key }) => key === 'rasoi')
    const texts = Array.from({ length: 300 }, (_, i) => writer.post({ frame: mix(1, i), topic, kind: i % 2 ? 'poll' : 'show', mention }))
    expect(new Set(texts.map(({ message }) => message)).size).toBe(texts.length)
    const titles = texts.map(({ title }) => title).filter((title) => title !== '')
    expect(new Set(titles).size).toBe(titles.length)
  })

  test('a comment quotes what the post says', () => {
    const writer = createWriter()
    const topic = 1
    const quoted = Array.from({ length: 400 }, (_, i) => {
      const frame = mix(2, i)
      const { message } = createWriter().post({ frame, topic, kind: 'show', mention })
      const comment = writer.comment({ frame, topic, kind: 'show', mention, seed: i, op: '@tom', ordinal: 0, reply: false, own: false })
      return { message, quote: /^> (.*)$/m.exec(comment)?.[1] }
    }).filter(({ quote }) => quote !== undefined)
    expect(quoted.length).toBeGreaterThan(2)
    for (const { message, quote } of quoted) expect(message).toContain(quote)
  })
})
