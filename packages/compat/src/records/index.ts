import type { Fields } from '../operations.ts'
import { isFields, pageAddresses } from '../values.ts'
import { course, lesson } from './learning.ts'
import { notification } from './notifications.ts'
import { person } from './people.ts'
import { comment, feed, reaction } from './posts.ts'
import type { Change, Reader } from './reader.ts'
import { activity, membership, space } from './spaces.ts'

/** Fields with data of members or settings, which is not adapted because it may look like any record. */
const UNTOUCHED = new Set(['meta', 'settings', 'answers', 'features', 'about', 'details'])

const upload: Change = (record) => ({
  ...record,
  media_id: record['id'],
  media_key: String(record['id']),
  url: record['file_url'],
  type: String(record['file_type']).split('/')[0],
})

/** Adds page URLs to a list. */
const list: Change = (record, reader) => ({ ...record, ...pageAddresses(record, reader) })

/** Recognizes records by a field that only they have. */
const CHANGES: readonly (readonly [field: string, change: Change, besides?: string])[] = [
  ['is_preview', lesson, 'is_completed'],
  ['terms', feed, 'xprofile'],
  ['post_id', comment, 'message_rendered'],
  ['action_url', notification],
  ['route', activity, 'xprofile'],
  ['joined_at', membership, 'space_id'],
  ['studentsCount', course],
  ['description_rendered', space, 'serial'],
  ['file_url', upload, 'file_size'],
  ['object_type', reaction, 'xprofile'],
  ['display_name', person, 'avatar'],
  ['last_page', list, 'per_page'],
]

/** Adds the names and formats that FluentCommunity's clients expect to a response. */
export const adapt = (value: unknown, reader: Reader): unknown => {
  if (Array.isArray(value)) return value.map((item) => adapt(item, reader))
  if (!isFields(value)) return value
  const record: Fields = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, UNTOUCHED.has(name) ? inner : adapt(inner, reader)]),
  )
  const found = CHANGES.find(([field, , besides = field]) => field in record && besides in record)
  return found ? found[1](record, reader) : record
}

export { peopleIn, wordpressUser } from './people.ts'
export { surveyConfig } from './posts.ts'
export type { Reader } from './reader.ts'
