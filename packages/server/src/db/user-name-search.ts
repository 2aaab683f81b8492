import { foldedWords } from '@lyceum/content'
import { insertRows } from './bulk-statements.ts'
import { type Db, dialectOf } from './database.ts'
import { likeContaining, type Placeholder, statement } from './sql/statement.ts'

export interface Names {
  readonly username: string
  readonly displayName: string
}

/** Maximum length of an indexed token, in characters. */
const MAX_TOKEN_LENGTH = 40
/** Sorts after every text with the same prefix. */
const LAST = '\u{10FFFF}'

/** Every suffix of every word of the names; true for whole words. */
const tokensOf = ({ username, displayName }: Names): Map<string, boolean> => {
  const tokens = new Map<string, boolean>()
  for (const word of foldedWords(`${username} ${displayName}`)) {
    const characters = [...word].slice(0, MAX_TOKEN_LENGTH)
    for (let at = 1; at < characters.length - 1; at++) {
      const token = characters.slice(at).join('')
      if (!tokens.has(token)) tokens.set(token, false)
    }
    tokens.set(characters.join(''), true)
  }
  return tokens
}

export const NAME_COLUMNS = ['token', 'user_id', 'is_whole_word']
export const nameRows = (userId: number, names: Names): (string | number)[][] =>
  [...tokensOf(names)].map(([token, isWholeWord]) => [token, userId, isWholeWord ? 1 : 0])

/** Adds new users to the name index. */
export const addUserNames = (db: Db, people: readonly (Names & { readonly id: number })[]): Promise<void> =>
  insertRows(
    db,
    'user_name_tokens',
    NAME_COLUMNS,
    people.flatMap((person) => nameRows(person.id, person)),
  )

const removeTokens = statement('delete from user_name_tokens where user_id = $1')

/** Replaces the index entries of a user after a change of their names. */
export const replaceUserNames = async (db: Db, userId: number, names: Names): Promise<void> => {
  await removeTokens(db, [userId])
  await addUserNames(db, [{ id: userId, ...names }])
}

/** The range of tokens with this prefix. */
const rangeOf = (word: string): readonly [from: string, to: string] => {
  const start = [...word].slice(0, MAX_TOKEN_LENGTH).join('')
  return [start, start + LAST]
}

/** SQL to append to a condition: the user's names contain each of these words. */
const haveToo = (words: readonly string[], id: string, p: Placeholder): string =>
  words
    .map((word) => {
      const [from, to] = rangeOf(word)
      return ` and exists (select 1 from user_name_tokens x where x.user_id = ${id} and x.token >= ${p(from)} and x.token < ${p(to)})`
    })
    .join('')

/** PostgreSQL overestimates the matches of a subquery, and would scan all users to join them; so it gets an array. */
const isAmong = (db: Db, id: string, people: string): string =>
  `${id} ${dialectOf(db) === 'postgres' ? `= any(array(${people}))` : `in (${people})`}`

/**
 * SQL condition on the user id in column `id`: the names contain every word of `search`; null if `search` has no words. `p` returns placeholders.
 */
export const matchingUsers = (db: Db, search: string, p: Placeholder, id = 'u.id'): string | null => {
  // The longest word is the most selective one.
  const [longest, ...others] = foldedWords(search).sort((a, b) => b.length - a.length)
  if (longest === undefined) return null
  const [from, to] = rangeOf(longest)
  const people = `select n.user_id from user_name_tokens n where n.token >= ${p(from)} and n.token < ${p(to)}`
  return `${isAmong(db, id, people)}${haveToo(others, id, p)}`
}

/** The same, or the email address contains the text. */
export const matchingUsersOrEmails = (db: Db, search: string, p: Placeholder, id = 'u.id'): string => {
  const names = namesStartingWith(search, p)
  const emails = `select e.id from users e where e.email like ${p(likeContaining(search.toLowerCase()))} escape '\\'`
  return isAmong(db, id, names === null ? emails : `select n.user_id from user_name_tokens n where ${names} union ${emails}`)
}

/** The same for few candidates: the words are looked up per candidate, so common words stay cheap. */
export const namesOf = (search: string, p: Placeholder, id = 'u.id'): string | null => {
  const words = foldedWords(search)
  return words.length === 0 ? null : `1 = 1${haveToo(words, id, p)}`
}

/**
 * The same for the first few of many matches: a condition on user_name_tokens `n`, to be read in the order of `token`. Its rows have the first
 * word of `search` as a prefix, and the user's names contain the other words.
 */
export const namesStartingWith = (search: string, p: Placeholder): string | null => {
  const [first, ...others] = foldedWords(search)
  if (first === undefined) return null
  const [from, to] = rangeOf(first)
  return `n.token >= ${p(from)} and n.token < ${p(to)}${haveToo(others, 'n.user_id', p)}`
}
