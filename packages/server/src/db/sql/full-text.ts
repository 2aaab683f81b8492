import { setImmediate } from 'node:timers/promises'
import { ftsDocument, ftsQuery, queryTokens, type SearchQuery, tsQuery } from '@lyceum/content'
import { noteFeedChange } from '../changes/feed-index-changelog.ts'
import { type Db, dialectOf } from '../database.ts'
import { selectRows, statement } from './statement.ts'

const remove = statement('delete from feed_search where rowid = $1')

/**
 * A row of feed_search (rowid, document) for a bulk load; `document` is the result of `ftsDocument`. Words contain no quotes or
 * backslashes.
 */
export const searchEntry = (db: Db, feedId: number, document: string): [number, string] => [
  feedId,
  dialectOf(db) === 'sqlite' || document === '' ? document : `'${document.replaceAll(' ', `' '`)}'`,
]

const ENTRY = {
  sqlite: (id: string, document: string) => `(${id}, ${document})`,
  postgres: (id: string, document: string) => `(${id}, array_to_tsvector(string_to_array(${document}, ' ')))`,
}
const AT_ONCE = 64

/** Indexes the texts of feeds that have no entry yet. */
export const indexFeeds = async (db: Db, feeds: readonly { readonly id: number; readonly text: string }[]): Promise<void> => {
  const entry = ENTRY[dialectOf(db)]
  for (let at = 0; at < feeds.length; at += AT_ONCE) {
    const some = feeds.slice(at, at + AT_ONCE)
    await selectRows(db, (p) => {
      const entries = some.map(({ id, text }) => entry(p(id), p(ftsDocument(text))))
      return `insert into feed_search (rowid, document) values ${entries.join(', ')}`
    })
  }
}

/** Indexes the text of a feed; `isNew`: it has no earlier entry. */
export const indexFeed = async (db: Db, id: number, text: string, isNew: boolean): Promise<void> => {
  if (!isNew) {
    await remove(db, [id])
    await noteFeedChange(db, id)
  }
  await indexFeeds(db, [{ id, text }])
}

/**
 * SQL condition: the feed's text contains all words of `search`, the last one as a prefix; null if it has no words. `p` returns placeholders.
 */
export const matchingFeeds = (db: Db, search: string, p: (value: string) => string, alias = 'f'): string | null => {
  const query = queryTokens(search)
  if (!query) return null
  return dialectOf(db) === 'sqlite'
    ? `${alias}.id in (select rowid from feed_search where feed_search match ${p(ftsQuery(query))})`
    : `${alias}.id in (select rowid from feed_search where document @@ ${p(tsQuery(query))}::tsquery)`
}

const found = {
  sqlite: statement<{ ids: string | null }>(
    `select group_concat(rowid, ',') as ids from (select rowid from feed_search where feed_search match $1 and rowid > $2 and rowid <= $3)`,
  ),
  postgres: statement<{ ids: string | null }>(
    `select string_agg(rowid::text, ',') as ids from feed_search where document @@ $1::tsquery and rowid > $2 and rowid <= $3`,
  ),
} as const
const highest = statement<{ id: number }>('select coalesce(max(id), 0) as id from feeds')

/** Length up to which prefixes are entries of the index, which can be read from any feed on. */
const INDEXED_PREFIX = 3
/** Range of ids searched before yielding to the event loop. */
const AT_ONCE_IDS = 100_000

const ZERO = 48
const COMMA = 44

/** Parses comma-separated integers; faster than `split`, since a search can find a million. */
const numbersOf = (text: string): number[] => {
  const numbers: number[] = []
  let number = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== COMMA) number = number * 10 + code - ZERO
    else {
      numbers.push(number)
      number = 0
    }
  }
  numbers.push(number)
  return numbers
}

/** Ids of all matching feeds of any status, in no particular order. It may run in several statements, each with its own snapshot. */
export const feedsMatching = async (db: Db, query: SearchQuery): Promise<number[]> => {
  const dialect = dialectOf(db)
  const match = dialect === 'sqlite' ? ftsQuery(query) : tsQuery(query)
  const last = (await highest(db))[0]?.id ?? 0
  const step = dialect === 'sqlite' && [...query.prefix].length <= INDEXED_PREFIX ? AT_ONCE_IDS : last
  const pieces: number[][] = []
  for (let from = 0; from < last; from += step) {
    if (from > 0) await setImmediate()
    const [row] = await found[dialect](db, [match, from, Math.min(from + step, last)])
    if (row?.ids) pieces.push(numbersOf(row.ids))
  }
  return pieces.length === 1 ? (pieces[0] ?? []) : pieces.flat()
}
