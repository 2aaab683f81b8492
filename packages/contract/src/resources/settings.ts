import { Type } from 'typebox'
import { Features } from '../features.ts'
import { route } from '../route.ts'
import { dataOf } from '../shapes/common.ts'

export const settings = {
  public: route({
    method: 'GET',
    path: '/settings/public',
    access: 'public',
    summary: 'What everybody may know about this community',
    response: dataOf(
      Type.Object({
        site_name: Type.String(),
        site_description: Type.String(),
        allow_registration: Type.Boolean(),
        logo_url: Type.String({ description: 'URL, may be empty' }),
        primary_color: Type.String({ examples: ['#2563eb'] }),
        features: Features,
      }),
    ),
  }),
} as const
