import { isHttpUrl } from '@lyceum/content'
import { type api, type BodyOf, TITLE_LENGTH } from '@lyceum/contract'
import { normalizeDatetime } from '../../core/clock.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { fromWallClock, isTimeZone } from '../../util/time-zones.ts'
import type { Fields } from './fields.ts'
import { type Meta, mergeMeta } from './meta.ts'

type Body = BodyOf<typeof api.feeds.update>

const invalidContent = (message: string, field: string) => new ApiError('invalid_content', { message, data: { field } })

const checkMessage = (message: string, most: number): string => {
  if (message.trim() === '') throw invalidContent('A feed requires a message.', 'message')
  if (Buffer.byteLength(message) > most) throw invalidContent(`A message must have at most ${most} bytes.`, 'message')
  return message
}

const checkTitle = (title: string): string => {
  if ([...title].length > TITLE_LENGTH) throw invalidContent(`A title must have at most ${TITLE_LENGTH} characters.`, 'title')
  return title
}

const checkImage = (url: string | null): string | null => {
  if (!url) return null
  if (!isHttpUrl(url)) throw new ApiError('invalid_url', { data: { field: 'featured_image' } })
  return url
}

const datetime = (field: string, value: string | null): string | null => {
  if (value === null) return null
  const normalized = normalizeDatetime(value)
  if (!normalized) throw invalidField(field, 'must be a valid date and time')
  return normalized
}

/** Converts a UTC datetime, or a wall-clock time in `zone`, to normalized UTC; null if it is invalid. */
const toUtc = (value: string, zone: string | null | undefined): string | null => {
  const normalized = normalizeDatetime(value)
  return normalized && zone ? fromWallClock(normalized, zone) : normalized
}

/** @throws invalid_scheduled_time unless the value is a datetime in the future */
const scheduledTime = (value: string | null | undefined, zone: string | null | undefined, now: string): string => {
  const at = value ? toUtc(value, zone) : null
  if (!at || at <= now) throw new ApiError('invalid_scheduled_time', { data: { field: 'scheduled_at' } })
  return at
}

/** Defaults of a new feed. */
export const BLANK = {
  title: '',
  message: '',
  content_type: 'text',
  type: 'feed',
  privacy: 'public' as const,
  status: 'published' as const,
  featured_image: null,
  scheduled_at: null,
  expired_at: null,
  is_sticky: 0 as const,
  priority: 0,
}

/** A feed as a request body leaves it. */
export interface Draft extends Fields {
  /** Sent with the meta but stored in a table of their own; undefined leaves them unchanged. */
  readonly topic_ids: readonly number[] | undefined
}

interface ApplyContext {
  readonly now: string
  readonly services: { readonly config: { readonly messageLimit: number } }
}

/** A list of a body; null if it is empty. */
const listOrNull = (value: unknown) => {
  const list = Array.isArray(value) || value === null ? value : [value]
  return list?.length === 0 ? null : list
}

/** The keys of the meta that a body changes; those that are sent next to the meta win. */
export const metaIn = ({ meta, survey, media_images, media }: Body): Meta => ({
  ...meta,
  ...(survey !== undefined && { survey }),
  ...(media_images !== undefined && { media_images: listOrNull(media_images) }),
  ...(media !== undefined && { media_items: listOrNull(media) }),
})

/**
 * Applies a body to a feed: only the fields that are sent change. Validates values, but does not check permissions.
 * @throws invalid_content, invalid_url, invalid_scheduled_time, invalid_data
 */
export const applyBody = (
  before: Omit<Draft, 'meta' | 'topic_ids'>,
  metaBefore: Meta,
  body: Body,
  { now, services: { config } }: ApplyContext,
): Draft => {
  if (body.type === 'course_lesson' && before.type !== 'course_lesson') throw invalidField('type', 'course_lesson is reserved for lessons')
  if (body.timezone && !isTimeZone(body.timezone)) throw invalidField('timezone', 'must be a time zone such as Europe/Berlin')
  const topics = body.topics ?? body.topic_ids
  const given = { ...metaIn(body), ...(topics && { topic_ids: topics }) }
  const { topic_ids = 'topic_ids' in given ? [] : undefined, ...meta } =
    Object.keys(given).length > 0 ? mergeMeta(metaBefore, given) : metaBefore
  const status = body.status ?? before.status
  const replansSchedule = status === 'scheduled' && (body.scheduled_at !== undefined || before.status !== 'scheduled')
  return {
    title: body.title === undefined ? before.title : checkTitle(body.title ?? ''),
    message: body.message === undefined ? before.message : checkMessage(body.message, config.messageLimit),
    content_type: body.content_type ?? before.content_type,
    type: body.type ?? before.type,
    privacy: body.privacy ?? before.privacy,
    status,
    featured_image: body.featured_image === undefined ? before.featured_image : checkImage(body.featured_image),
    scheduled_at: replansSchedule
      ? scheduledTime(body.scheduled_at ?? before.scheduled_at, body.scheduled_at ? body.timezone : null, now)
      : status === before.status
        ? before.scheduled_at
        : null,
    expired_at: body.expired_at === undefined ? before.expired_at : datetime('expired_at', body.expired_at),
    is_sticky: body.is_sticky === undefined ? before.is_sticky : body.is_sticky ? 1 : 0,
    priority: body.priority ?? before.priority,
    meta,
    topic_ids: topic_ids as number[] | undefined,
  }
}
