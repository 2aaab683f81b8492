import { api } from '@lyceum/contract'
import { describe, expect, test } from 'vitest'
import { FEED_FIELDS, type StoredField, searchText, type WritableField } from './fields.ts'

/** The other fields of a request, with the place of what they set. */
const INPUT_FIELDS: Readonly<Record<Exclude<WritableField, StoredField>, string>> = {
  space: 'the slug of space_id',
  timezone: 'converts scheduled_at',
  auto_publish: 'feed_schedules.auto_publish',
  topics: 'feed_topics',
  topic_ids: 'an alias of topics',
  survey: 'meta.survey',
  media_images: 'meta.media_images',
  media: 'meta.media_items',
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly title?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Whether a value can contain words that the author chose: a string without fixed values, or an object. */
const holdsText = (schema: Schema): boolean => {
  if (schema.enum || schema.title === 'DatetimeInput') return false
  if (schema.anyOf) return schema.anyOf.some(holdsText)
  if (schema.items) return holdsText(schema.items)
  return schema.properties !== undefined || [schema.type].flat().some((type) => type === 'string' || type === 'object')
}

const bodyOf = (route: { body?: unknown }) => (route.body as Schema).properties ?? {}

describe('every text that members write in a feed', () => {
  const texts = Object.entries({ ...bodyOf(api.feeds.create), ...bodyOf(api.feeds.update) }).filter(([, schema]) => holdsText(schema))

  test('includes the title, the message, the image and the meta', () => {
    expect(texts.map(([name]) => name)).toEqual(expect.arrayContaining(['title', 'message', 'featured_image', 'meta']))
  })

  // `reason` is shown to the author, not to readers of the feed.
  test.each(texts.filter(([name]) => name !== 'reason'))('%s is screened, or is not stored', (name) => {
    const rules = (FEED_FIELDS as Readonly<Record<string, { readonly screened: string }>>)[name]
    if (rules) expect(rules.screened).not.toBe('fixed')
    else expect(INPUT_FIELDS).toHaveProperty(name)
  })
})

test('the searched text has the title on a line of its own', () => {
  expect(searchText({ title: 'Bread', message_rendered: '<p>Flour &amp; salt</p>' })).toBe('Bread\nFlour & salt')
})
