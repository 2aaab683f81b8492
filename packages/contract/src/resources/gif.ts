import { GIF_LANGUAGES, GIF_RATINGS } from '../features.ts'
import { route } from '../route.ts'
import { Count, Datetime, named, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

export const GIF_VARIANTS = ['original', 'downsized', 'preview', 'fixed_height', 'fixed_width', 'fixed_height_small'] as const
export const MOST_GIFS = 50
export const GIF_QUERY_LENGTH = 200

const Variant = named('GifVariant', {
  url: Type.String(),
  width: Count,
  height: Count,
  size: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes' })),
})
const optional = Type.Optional(Variant)

export const Gif = named('Gif', {
  id: Type.String(),
  title: Type.String(),
  url: Type.String({ description: 'Page of the GIF at the provider' }),
  images: Type.Object({
    original: Variant,
    downsized: optional,
    preview: optional,
    fixed_height: optional,
    fixed_width: optional,
    fixed_height_small: optional,
  }),
  rating: oneOf(GIF_RATINGS),
  trending_datetime: nullable(Datetime),
})

export const gif = {
  search: route({
    method: 'GET',
    path: '/gif',
    access: 'member',
    feature: 'gif',
    summary: 'Search for GIFs',
    description:
      'Answered by the provider that the community has set up, or from what it answered lately. While an administrator has switched it off every request answers `gif_disabled`, also one without `q`.',
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: GIF_QUERY_LENGTH, description: 'Required' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_GIFS, default: 25, 'x-clamp': true })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 0 })),
      rating: Type.Optional(oneOf(GIF_RATINGS, { description: 'As the community has set it unless given: g by default' })),
      lang: Type.Optional(oneOf(GIF_LANGUAGES, { description: 'As the community has set it unless given: en by default' })),
    }),
    response: Type.Object({
      data: Type.Array(Gif),
      pagination: Type.Object({ total_count: Count, count: Count, offset: Count }),
      meta: Type.Object({ status: Type.Integer(), msg: Type.String(), response_id: Type.String() }),
    }),
    errors: ['missing_query', 'invalid_api_key', 'gif_disabled', 'rate_limit_exceeded', 'service_unavailable'],
  }),
} as const
