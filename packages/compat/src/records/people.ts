import type { Fields } from '../operations.ts'
import { fieldsOf, isFields } from '../values.ts'
import { type Change, escaped, type Reader } from './reader.ts'

const address = ({ origin }: Reader, username: unknown) =>
  typeof username === 'string' && username !== '' ? { permalink: `${origin}/u/${username}` } : {}

const navigation = (entry: unknown): unknown => {
  if (!isFields(entry)) return entry
  const name = String(entry['slug']).replace(/^user_(?:profile_)?/, '')
  const names: Fields = { profile: 'about', feeds: 'posts' }
  return { ...entry, wrapper_class: `fcom_profile_${names[name] ?? name}` }
}

/** A person, completed with fields missing in the response. */
export const person: Change = (record, reader) => {
  const known = fieldsOf(reader.people.get(record['user_id']))
  const whole: Fields = 'short_description' in record ? record : { ...known, ...record }
  const { meta, short_description, profile_navs } = whole
  return {
    badge: null,
    ...whole,
    ...(isFields(meta) && {
      last_activity: record['last_activity'] ?? known['last_activity'] ?? null,
      meta: { headline: '', short_description_rendered: escaped(String(short_description ?? '')), ...meta },
    }),
    ...(Array.isArray(profile_navs) && { profile_navs: profile_navs.map(navigation) }),
    ...address(reader, whole['username']),
  }
}

/** A person by id; null if unknown. */
export const personById = (id: unknown, reader: Reader): Fields | null => {
  const known = reader.people.get(id)
  return known ? person(known, reader) : null
}

/** A person in WordPress's user format. Private fields are empty. */
export const wordpressUser = (known: Fields): Fields => ({
  ID: known['user_id'],
  user_login: known['username'],
  user_nicename: known['username'],
  user_email: known['email'] ?? '',
  user_url: fieldsOf(known['meta'])['website'] ?? known['website'] ?? '',
  user_registered: known['created_at'],
  user_status: '0',
  display_name: known['display_name'],
  photo: known['avatar'],
})

const shownPeople = (record: Fields): unknown[] => [
  ...('display_name' in record && 'avatar' in record && !('last_activity' in record) ? [record['user_id']] : []),
  ...('studentsCount' in record ? [record['instructor_id'], record['created_by']] : []),
]

/** Ids of people with incomplete summaries in a response. */
export const peopleIn = (value: unknown, found = new Set<number>()): ReadonlySet<number> => {
  if (Array.isArray(value)) for (const item of value) peopleIn(item, found)
  else if (isFields(value)) {
    for (const id of shownPeople(value)) if (typeof id === 'number') found.add(id)
    for (const inner of Object.values(value)) peopleIn(inner, found)
  }
  return found
}
