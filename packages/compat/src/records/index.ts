import type { Fields } from '../operations.ts'
import { isFields, pageAddresses } from '../values.ts'
import { course, lesson } from './learning.ts'
import { notification } from './notifications.ts'
import { person } from './people.ts'
import { comment, feed, reaction } from './posts.ts'
import type { Change, Reader } from './reader.ts'
import { activity, membership, space } from './spaces.ts'

/** Plain data of members or settings, which may look like anything. */
const UNTOUCHED = new Set(['meta', 'settings', 'answers', 'features', 'about', 'details'])

const upload: Change = (record) => ({
  ...record,
  media_id: record['id'],
  media_key: String(record['id']),
  url: record['file_url'],
  type: String(record['file_type']).split('/')[0],
})

/** Where the pages of a list are. */
const list: Change = (record, reader) => ({ ...record, ...pageAddresses(record, reader) })

/** Records by fields that only they have. */
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

/** An answer of Lyceum with the names and forms that clients of FluentCommunity read besides its own. */
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
