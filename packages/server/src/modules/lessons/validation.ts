import { isHttpUrl, sanitizeForeign } from '@lyceum/content'
import { type api, type BodyOf, LESSON_CONTENT_BYTES, LESSON_TITLE_LENGTH } from '@lyceum/contract'
import { ApiError, invalidField } from '../../core/errors.ts'
import { cleanTitle as cleanLine } from '../../core/validate-text.ts'

type Body = BodyOf<typeof api.lessons.update>

/** @throws invalid_data if it is empty or too long */
export const cleanTitle = (title: string): string => {
  const clean = cleanLine(title)
  if ([...clean].length > LESSON_TITLE_LENGTH) throw invalidField('title', `must have at most ${LESSON_TITLE_LENGTH} characters`)
  return clean
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** @throws invalid_data */
const cleanSlug = (slug: string): string => {
  const clean = slug.trim().toLowerCase()
  if (!SLUG.test(clean)) throw invalidField('slug', 'must consist of a-z, 0-9 and single hyphens')
  return clean
}

/** Sanitizes HTML content. @throws invalid_content if it is too long */
export const cleanContent = (content: string | null): string => {
  if (Buffer.byteLength(content ?? '') > LESSON_CONTENT_BYTES) throw new ApiError('invalid_content', { data: { field: 'content' } })
  return sanitizeForeign((content ?? '').replaceAll('\0', '\uFFFD').replaceAll('\r\n', '\n')).trim()
}

const checkUrl = (url: string, field: string): string => {
  if (!isHttpUrl(url)) throw new ApiError('invalid_url', { data: { field } })
  return url
}

const cleanUrl = (url: string | null, field: string): string => (url?.trim() ? checkUrl(url.trim(), field) : '')

const cleanResources = (resources: NonNullable<Body['resources']>): string =>
  JSON.stringify(
    resources.map(({ title, url }, i) => ({ title: title?.trim() || url.trim(), url: checkUrl(url.trim(), `resources.${i}.url`) })),
  )

/** The columns that a body changes, except position, status and section. @throws invalid_url, invalid_data */
export const columnsOf = ({ title, slug, video_url, duration, is_preview, resources }: Body) => ({
  ...(title !== undefined && { title: cleanTitle(title) }),
  ...(slug !== undefined && { slug: cleanSlug(slug) }),
  ...(video_url !== undefined && { video_url: cleanUrl(video_url, 'video_url') }),
  ...(duration !== undefined && { duration: duration?.trim() ?? '' }),
  ...(is_preview !== undefined && { is_preview: (is_preview ? 1 : 0) as 0 | 1 }),
  ...(resources !== undefined && { resources: cleanResources(resources ?? []) }),
})
