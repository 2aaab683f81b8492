import type { ArchiveRecord } from '@lyceum/contract/archive'
import { numberAt, readMeta, textAt } from '../wordpress/index.ts'
import { webAddress } from './social-sites.ts'
import { plainText } from './text.ts'

type Post = ArchiveRecord<'posts'>

/** Names of GIF renditions in the provider's response, in order of preference. */
const VARIANTS = ['original', 'downsized_large', 'downsized_medium', 'downsized', 'fixed_height', 'fixed_width']

/** The GIF of an activity, from the provider's response that BuddyBoss stores; null if missing or damaged. */
export const gifOf = (serialized: string | null): NonNullable<Post['gif']> | null => {
  const { value } = readMeta(serialized)
  const sizes = VARIANTS.map((name) => {
    const side = (key: string) => {
      const pixels = numberAt(value, 'images', name, key)
      return pixels !== null && Number.isInteger(pixels) && pixels > 0 && pixels <= 100_000 ? pixels : null
    }
    return { url: webAddress(textAt(value, 'images', name, 'url')), width: side('width'), height: side('height') }
  })
  const best = sizes.find(({ url }) => url !== null)
  if (!best?.url) return null
  // All sizes have the same proportions.
  const { width, height } = [best, ...sizes].find((size) => size.width && size.height) ?? best
  const [id, title] = [textAt(value, 'id'), plainText(textAt(value, 'title'))]
  return {
    ...(id && { id: id.slice(0, 200) }),
    url: best.url,
    ...(title && { title: title.slice(0, 500) }),
    ...(width && height && { width, height }),
  }
}

/** A link preview and the id of its image attachment. */
export interface Preview {
  readonly preview: NonNullable<Post['preview']>
  readonly attachment: number | null
}

export const previewOf = (serialized: string | null): Preview | null => {
  const { value } = readMeta(serialized)
  const url = webAddress(textAt(value, 'url'))
  if (!url) return null
  const [title, description] = [plainText(textAt(value, 'title')), plainText(textAt(value, 'description'))]
  const image = webAddress(textAt(value, 'image_url'))
  const attachment = numberAt(value, 'attachment_id')
  return {
    preview: { url, ...(title && { title }), ...(description && { description }), ...(image && { image }) },
    attachment: attachment !== null && Number.isInteger(attachment) && attachment > 0 ? attachment : null,
  }
}
