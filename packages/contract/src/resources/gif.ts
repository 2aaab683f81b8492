import { GIF_LANGUAGES, GIF_RATINGS } from '../features.ts'
import { route } from '../route.ts'
import { Count, Datetime, named, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

export const GIF_VARIANTS = ['original', 'downsized', 'preview', 'fixed_height', 'fixed_width', 'fixed_height_small'] as const
export const MAX_GIFS = 50
export const GIF_QUERY_LENGTH = 200

const Variant = named('GifVariant', {
  url: Type.String(),
  width: Count,
  height: Count,
  size: Type.Optional(Type.Integer({ minimum: 0, description: 'Size of the file in bytes.' })),
})
const optional = Type.Optional(Variant)

export const Gif = named('Gif', {
  id: Type.String(),
  title: Type.String(),
  url: Type.String({ description: 'Page of the GIF on the provider’s site.' }),
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
    summary: 'Search GIFs',
    description:
      'Results come from the configured provider or from a recent identical search. While GIF search is disabled, every request returns `gif_disabled`, even without `q`.',
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: GIF_QUERY_LENGTH, description: 'The search text (required).' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_GIFS, default: 25, 'x-clamp': true })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 0 })),
      rating: Type.Optional(oneOf(GIF_RATINGS, { description: 'Highest content rating; default: the community setting, initially `g`.' })),
      lang: Type.Optional(oneOf(GIF_LANGUAGES, { description: 'Language of the search; default: the community setting, initially `en`.' })),
    }),
    response: Type.Object({
      data: Type.Array(Gif),
      pagination: Type.Object({ total_count: Count, count: Count, offset: Count }),
      meta: Type.Object({ status: Type.Integer(), msg: Type.String(), response_id: Type.String() }),
    }),
    errors: ['missing_query', 'invalid_api_key', 'gif_disabled', 'rate_limit_exceeded', 'service_unavailable'],
  }),
} as const
