import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readmes } from '#test/html-oracle.ts'
import { plainText } from './plain-text.ts'
import { render } from './render.ts'
import { ftsDocument, ftsQuery, queryTokens, tokens, tsQuery } from './tokenizer.ts'

const db = new Database(':memory:')
db.exec(`CREATE VIRTUAL TABLE search USING fts5(words, tokenize='ascii', detail=none, columnsize=0)`)
const insert = db.prepare('INSERT INTO search(rowid, words) VALUES (?, ?)')
const remove = db.prepare('DELETE FROM search WHERE rowid = ?')
const match = db.prepare<[string, number]>('SELECT 1 FROM search WHERE search MATCH ? AND rowid = ?')

/** An FTS5 index of one document. `finds` tells whether a search matches it; null if the search contains no word. */
function indexed(document: string): { finds(search: string): boolean | null; [Symbol.dispose](): void } {
  insert.run(1, ftsDocument(document))
  return {
    finds(search) {
      const query = queryTokens(search)
      return query && match.get(ftsQuery(query), 1) !== undefined
    },
    [Symbol.dispose]: () => remove.run(1),
  }
}

describe('tokens', () => {
  test.each<[string, string[]]>([
    ['Hello, World!', ['hello', 'world']],
    ["don't it’s l'été ʼx", ['don', 't', 'it', 's', 'l', 'ete', 'x']],
    ['Straße STRASSE ẞ', ['strasse', 'ss']],
    ['İstanbul ISTANBUL ısı', ['istanbul', 'isi']],
    ['Ærø Œuvre Łódź Đà Þór', ['aero', 'oeuvre', 'lodz', 'da', 'thor']],
    ['ΟΔΟΣ ὁδός οδος', ['οδοσ']],
    ['ёж мой мои Їжак', ['еж', 'мой', 'мои', 'іжак']],
    ['ﬁne ２０２６ Ⅷ m² word™ ①', ['fine', '2026', 'viii', 'm2', 'word', '1']],
    ['snake_case kebab-case a.b C++', ['snake', 'case', 'kebab', 'a', 'b', 'c']],
    ['so\u00adft zero\u200dwidth', ['soft', 'zerowidth']],
    ['日本語', ['日本', '本語', '語']],
    ['日', ['日']],
    ['カタカナー ｶﾞ か\u3099', ['カタ', 'タカ', 'カナ', 'ナー', 'ー', 'ガ', 'が']],
    ['iPhone手机2026年', ['iphone', '手机', '机', '2026', '年']],
    ['한국어 하', ['한국어', '하']],
    ['हिन्दी किताब', ['हिन्दी', 'किताब']],
    ['שָׁלוֹם مُحَمَّد محـمد أحمد', ['שלום', 'محمد', 'احمد']],
    ['สวย', ['สว', 'วย', 'ย']],
    ['🎉 … -- * " \' \\ : | & ( )', []],
    ['\ud800a\udc00', ['a']],
    ['a\0b', ['a', 'b']],
  ])('%j', (text, expected) => expect(tokens(text)).toEqual(expected))

  test('are normalized, for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300, size: 'max' }),
      fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' }),
    )
    fc.assert(
      fc.property(text, (value) => {
        for (const token of tokens(value)) {
          expect(token).toMatch(/^(?:[a-z0-9]|[^\p{ASCII}\s])+$/u)
          expect(token).toMatch(/^[\p{L}\p{N}\p{M}]{1,64}$/u)
        }
        expect(tokens(value)).toEqual([...new Set(ftsDocument(value).split(' ').filter(Boolean))])
      }),
      { numRuns: 1000 },
    )
  })

  test('are few and short, however long the text', () => {
    const many = tokens(Array.from({ length: 40_000 }, (_, i) => i.toString(36)).join(' '))
    expect(many).toHaveLength(32_000)
    expect(tokens('x'.repeat(5000))).toEqual(['x'.repeat(64)])
    expect(tokens('𝒳é'.repeat(5000))).toEqual(['xe'.repeat(32)])
    expect([...tokens('\u{1E900}'.repeat(5000))[0]!]).toHaveLength(64)
  })
})

describe('queries', () => {
  test.each<[string, string | null, string | null]>([
    ['Hello wor', '"hello" AND "wor"*', "'hello' & 'wor':*"],
    ['word', '"word"*', "'word':*"],
    ['a a a', '"a" AND "a"*', "'a' & 'a':*"],
    ['日本語', '"日本" AND "本語"*', "'日本' & '本語':*"],
    ['語 cat', '"語"* AND "cat"*', "'語':* & 'cat':*"],
    [`') OR 1=1 -- "x" NEAR(y) * \\`, '"or" AND "1" AND "x" AND "near" AND "y"*', "'or' & '1' & 'x' & 'near' & 'y':*"],
    ['AND', '"and"*', "'and':*"],
    ['', null, null],
    ['%_*"\'', null, null],
    ['🜁'.repeat(300), null, null],
  ])('%j', (search, fts, ts) => {
    const query = queryTokens(search)
    expect(query && ftsQuery(query)).toBe(fts)
    expect(query && tsQuery(query)).toBe(ts)
  })

  test('all words must match, the last one by its beginning', () => {
    using document = indexed('The quick brown fox, im Café der Straße, 東京タワーで')
    for (const search of [
      'quick',
      'qui',
      'QUICK bro',
      'fox the',
      'cafe strasse',
      'CAFÉ',
      'strass',
      '東京',
      '京',
      'タワー 東京',
      'で',
      '東 タ',
      'quick 京タ',
      'fox\0the',
    ])
      expect([search, document.finds(search)]).toEqual([search, true])
    for (const search of ['qui brown', 'quick cat', 'uick', '京東', '東タ', 'strassen', 'fox 大', 'th fox'])
      expect([search, document.finds(search)]).toEqual([search, false])
  })

  test('the longest searches are accepted', () => {
    const latin = Array.from({ length: 100 }, (_, i) => String.fromCharCode(97 + (i % 26))).join(' ')
    const han = Array.from({ length: 300 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')
    for (const text of [latin, han, 'x'.repeat(300), 'é'.repeat(300), '𠀀𠀁'.repeat(200)]) {
      using document = indexed(text)
      expect(document.finds(text)).toBe(true)
    }
  })
})

const letters = 'abcxyzäßçøİıŁЙёєабσςΩאבشָمُ한국日本語東京かがカﾞーสวัสดีกำខ្មែរမြန်မာहिन्दीकி\u0301\u0308\u200d\u00ad'
const unit = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...letters) },
  { weight: 2, arbitrary: fc.constantFrom(...' \n.,-_\'"*:()&|!\\/@#0159') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
)
const text = fc.array(unit, { maxLength: 120, size: 'max' }).map((units) => units.join(''))

describe('a document is found by each of its words', () => {
  test('words between spaces, whole or by prefix', () => {
    fc.assert(
      fc.property(text, fc.nat(), (value, cut) => {
        using document = indexed(value)
        for (const word of value.split(/\s+/u)) expect([word, document.finds(word)]).not.toEqual([word, false])
        const words = value.split(/\s+/u)
        const several = words.slice(cut % words.length).join(' ')
        expect([several, document.finds(several)]).not.toEqual([several, false])
      }),
      { numRuns: 2000 },
    )
  })

  test('any piece of text that is written without spaces', () => {
    const run = fc.string({ unit: fc.constantFrom(...'日本語東京かがきカナーสวดกขคខរមန一丁七'), minLength: 1, maxLength: 30, size: 'max' })
    fc.assert(
      fc.property(run, fc.nat(), fc.nat(), (value, from, length) => {
        using document = indexed(`before ${value} after`)
        const start = from % value.length
        const piece = value.slice(start, start + 1 + (length % 8))
        expect([piece, document.finds(piece)]).toEqual([piece, true])
        expect([piece, document.finds(`${piece} aft`)]).toEqual([piece, true])
      }),
      { numRuns: 1000 },
    )
  })

  test('the longer words of every README of 15,000 bytes at most', () => {
    const all = readmes()
    const started = performance.now()
    let searches = 0
    for (const { name, text: source } of all) {
      const readable = plainText(render(source, 'markdown'))
      using document = indexed(readable)
      for (const word of new Set(readable.match(/[\p{L}\p{N}]{7,}/gu))) {
        searches += 1
        expect([name, word, document.finds(word)]).toEqual([name, word, true])
      }
    }
    console.log(`${searches} words of ${all.length} READMEs in ${(performance.now() - started).toFixed(0)} ms`)
    expect(searches).toBeGreaterThan(5000)
  })
})
