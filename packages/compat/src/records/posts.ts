import type { Fields } from '../operations.ts'
import { isFields, listOf, numericTexts } from '../values.ts'
import type { Change } from './reader.ts'

/** A survey as `survey_config`. */
export const surveyConfig = (survey: unknown): Fields => {
  if (!isFields(survey)) return {}
  const voted = new Set(listOf(survey['voted']))
  return {
    survey_config: {
      type: survey['allow_multiple'] === true ? 'multi_choice' : 'single_choice',
      end_date: survey['end_date'] ?? '',
      options: listOf(survey['options'])
        .filter(isFields)
        .map(({ slug, label, votes }) => ({
          slug,
          label,
          vote_counts: votes ?? 0,
          ...(voted.has(slug) && { voted: true }),
        })),
    },
  }
}

const mediaItem = (item: unknown): Fields => {
  const media: Fields = isFields(item) ? item : { url: item }
  const kind = String(media['type'] ?? '')
  return { ...media, media_id: media['id'] ?? null, type: /^(?:video|audio)/.exec(kind)?.[0] ?? 'image', provider: 'uploader' }
}

/** The attachment to show as preview: a GIF, link preview, or single image. */
const mediaPreview = (gif: unknown, preview: unknown, [item, ...others]: readonly Fields[]): Fields => {
  if (isFields(gif)) {
    const { url, width, height, title } = gif
    const shown = { image: url, url, type: 'image', provider: 'giphy', title: title ?? '', width: width ?? null, height: height ?? null }
    return { giphy: { id: gif['id'] ?? '', ...shown }, media_preview: shown }
  }
  if (isFields(preview))
    return { media_preview: { title: '', description: '', image: '', ...preview, type: 'meta_data', content_type: preview['type'] ?? '' } }
  if (!item || others.length > 0 || item['type'] !== 'image') return {}
  const { url, width, height, media_id } = item
  return {
    media_preview: {
      is_uploaded: true,
      image: url,
      type: 'meta_data',
      provider: 'uploader',
      width: width ?? null,
      height: height ?? null,
      media_id,
    },
  }
}

/** Attachments and survey of a feed or comment in both formats. */
const metaOf = (meta: unknown): Fields => {
  if (!isFields(meta)) return {}
  const items = [...listOf(meta['media_items']), ...listOf(meta['media_images'])].map(mediaItem)
  return {
    ...meta,
    ...(items.length > 0 && { media_items: items }),
    ...mediaPreview(meta['gif'], meta['preview'], items),
    ...surveyConfig(meta['survey']),
    ...('comments_disabled' in meta && { comments_disabled: meta['comments_disabled'] === true ? 'yes' : 'no' }),
  }
}

const ownReaction = ({ has_user_react: type }: Fields): Fields => ({ has_user_react: Boolean(type), user_reaction_type: type ?? null })

const flag = (value: unknown) => (value === true || value === 1 ? 1 : 0)

/** A reaction or vote, with its person. */
export const reaction: Change = (record) => ({
  ...record,
  ...numericTexts(record, 'user_id', 'object_id', 'parent_id'),
  ...(record['parent_id'] === 0 && { parent_id: null }),
})

const termOf = (id: unknown, term: Fields): Fields => ({
  ...term,
  taxonomy_name: 'post_topic',
  pivot: { post_id: String(id), term_id: String(term['id']) },
})

export const feed: Change = (record, reader) => {
  const { space, ...rest } = record
  const id = record['id']
  return {
    ...rest,
    ...numericTexts(record, 'user_id', 'space_id'),
    parent_id: record['parent_id'] || null,
    ...(isFields(space) && { space: { settings: {}, ...space } }),
    meta: metaOf(record['meta']),
    is_sticky: flag(record['is_sticky']),
    default_comment_sort_by: '',
    ...ownReaction(record),
    terms: listOf(record['terms'])
      .filter(isFields)
      .map((term) => termOf(id, term)),
    reactions: listOf(record['reactions'])
      .filter(isFields)
      .map((one) => reaction({ object_id: id, object_type: 'feed', parent_id: null, updated_at: one['created_at'], ...one }, reader)),
  }
}

export const comment: Change = (record) => ({
  ...record,
  ...numericTexts(record, 'user_id', 'post_id', 'parent_id', 'reactions_count'),
  meta: metaOf(record['meta']),
  is_sticky: flag(record['is_sticky']),
  ...('has_user_react' in record && ownReaction(record)),
  ...(record['has_user_react'] ? { liked: 1 } : {}),
})
