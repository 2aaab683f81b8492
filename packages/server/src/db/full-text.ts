import { ftsDocument, ftsQuery, queryTokens, tsLexemes, tsQuery } from '../platform/content/search-text.ts'
import { type Db, dialectOf } from './database.ts'
import { parameters, runText, statement } from './statement.ts'

const write = {
  sqlite: {
    remove: statement('delete from feed_search where rowid = $1'),
    insert: statement('insert into feed_search (rowid, document) values ($1, $2)'),
  },
  postgres: {
    remove: statement('delete from feed_search where rowid = $1'),
    insert: statement(`insert into feed_search (rowid, document) values ($1, array_to_tsvector(string_to_array($2, ' ')))`),
  },
} as const

/** The stored form of a searchable text: both databases index the same words, cut by the same tokeniser. */
const documentOf = (db: Db, text: string) => (dialectOf(db) === 'sqlite' ? ftsDocument(text) : tsLexemes(text).join(' '))

/** Makes a feed findable by `text` from now on; `isNew` saves looking for an earlier entry. */
export const indexFeed = async (db: Db, feedId: number, text: string, isNew: boolean): Promise<void> => {
  const { remove, insert } = write[dialectOf(db)]
  if (!isNew) await remove(db, [feedId])
  await insert(db, [feedId, documentOf(db, text)])
}

const ENTRY = {
  sqlite: (id: string, document: string) => `(${id}, ${document})`,
  postgres: (id: string, document: string) => `(${id}, array_to_tsvector(string_to_array(${document}, ' ')))`,
}
const AT_ONCE = 64

/** The same for many feeds that have no entry yet. */
export const indexFeeds = async (db: Db, feeds: readonly { readonly id: number; readonly text: string }[]): Promise<void> => {
  const entry = ENTRY[dialectOf(db)]
  for (let at = 0; at < feeds.length; at += AT_ONCE) {
    const { values, p } = parameters()
    const entries = feeds.slice(at, at + AT_ONCE).map(({ id, text }) => entry(p(id), p(documentOf(db, text))))
    await runText(db, `insert into feed_search (rowid, document) values ${entries.join(', ')}`, values)
  }
}

/**
 * SQL that holds for the feeds whose text has all words of `search`, the last one also as a beginning; null when it holds no word.
 * `p` gives placeholders.
 */
export const matchingFeeds = (db: Db, search: string, p: (value: string) => string, alias = 'f'): string | null => {
  const query = queryTokens(search)
  if (!query) return null
  return dialectOf(db) === 'sqlite'
    ? `${alias}.id in (select rowid from feed_search where feed_search match ${p(ftsQuery(query))})`
    : `${alias}.id in (select rowid from feed_search where document @@ ${p(tsQuery(query))}::tsquery)`
}
