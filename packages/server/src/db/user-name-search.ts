import { foldedWords } from '../content/tokenizer.ts'
import { insertRows } from './bulk-statements.ts'
import { type Db, dialectOf } from './database.ts'
import { containing } from './sql/like.ts'
import type { Placeholder } from './sql/statement.ts'
import { statement } from './sql/statement.ts'

export interface Names {
  readonly username: string
  readonly displayName: string
}

/** Longest part that is kept and looked for, in characters. */
const LONGEST = 40
/** Sorts behind everything that begins with the text before it. */
const LAST = '\u{10FFFF}'

/** Each word of the names, and what is left of it from each of its characters on; true where it is the whole word. */
const partsOf = ({ username, displayName }: Names): Map<string, boolean> => {
  const parts = new Map<string, boolean>()
  for (const word of foldedWords(`${username} ${displayName}`)) {
    const characters = [...word].slice(0, LONGEST)
    for (let at = 1; at < characters.length - 1; at++) {
      const part = characters.slice(at).join('')
      if (!parts.has(part)) parts.set(part, false)
    }
    parts.set(characters.join(''), true)
  }
  return parts
}

export const NAME_COLUMNS = ['token', 'user_id', 'is_whole_word']
/** The rows of user_name_tokens that make somebody findable. */
export const nameRows = (userId: number, names: Names): (string | number)[][] =>
  [...partsOf(names)].map(([part, head]) => [part, userId, head ? 1 : 0])

/** Makes people findable by their names, who have not been so far. */
export const addPersonNames = (db: Db, people: readonly (Names & { readonly id: number })[]): Promise<void> =>
  insertRows(
    db,
    'user_name_tokens',
    NAME_COLUMNS,
    people.flatMap((person) => nameRows(person.id, person)),
  )

const forget = statement('delete from user_name_tokens where user_id = $1')

/** Makes somebody findable by other names than before. */
export const replacePersonNames = async (db: Db, userId: number, names: Names): Promise<void> => {
  await forget(db, [userId])
  await addPersonNames(db, [{ id: userId, ...names }])
}

/** The range of the rows of user_name_tokens that begin with this word. */
const rangeOf = (word: string): readonly [from: string, to: string] => {
  const start = [...word].slice(0, LONGEST).join('')
  return [start, start + LAST]
}

/** SQL, to be added to a condition: each of these words is found in somebody's names. */
const haveToo = (words: readonly string[], id: string, p: Placeholder): string =>
  words
    .map((word) => {
      const [from, to] = rangeOf(word)
      return ` and exists (select 1 from user_name_tokens x where x.user_id = ${id} and x.token >= ${p(from)} and x.token < ${p(to)})`
    })
    .join('')

/** PostgreSQL does not know how few they are, and would go through everybody to join them. */
const isAmong = (db: Db, id: string, people: string): string =>
  `${id} ${dialectOf(db) === 'postgres' ? `= any(array(${people}))` : `in (${people})`}`

/**
 * SQL that holds for the people, by the column `id`, in whose names every word of `search` is found; null when there is no word in it.
 * `p` gives placeholders.
 */
export const matchingPeople = (db: Db, search: string, p: Placeholder, id = 'u.id'): string | null => {
  // The longest word leaves the fewest people over.
  const [longest, ...others] = foldedWords(search).sort((a, b) => b.length - a.length)
  if (longest === undefined) return null
  const [from, to] = rangeOf(longest)
  const people = `select n.user_id from user_name_tokens n where n.token >= ${p(from)} and n.token < ${p(to)}`
  return `${isAmong(db, id, people)}${haveToo(others, id, p)}`
}

/** The same, and for those whose e-mail address holds the text. */
export const matchingPeopleOrEmails = (db: Db, search: string, p: Placeholder, id = 'u.id'): string => {
  const names = beginningNames(search, p)
  const emails = `select e.id from users e where e.email like ${p(containing(search.toLowerCase()))} escape '\\'`
  return isAmong(db, id, names === null ? emails : `select n.user_id from user_name_tokens n where ${names} union ${emails}`)
}

/** The same where only few people come into question: each of them is asked for the words, however many others have them too. */
export const namesOf = (search: string, p: Placeholder, id = 'u.id'): string | null => {
  const words = foldedWords(search)
  return words.length === 0 ? null : `1 = 1${haveToo(words, id, p)}`
}

/**
 * The same for few people out of many: SQL over user_name_tokens under the alias `n`, which is to be read in the order of its `token`. Its
 * rows begin with the first word of `search`, of people in whose names the other words are found too.
 */
export const beginningNames = (search: string, p: Placeholder): string | null => {
  const [first, ...others] = foldedWords(search)
  if (first === undefined) return null
  const [from, to] = rangeOf(first)
  return `n.token >= ${p(from)} and n.token < ${p(to)}${haveToo(others, 'n.user_id', p)}`
}
