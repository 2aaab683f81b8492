import { route } from '../route.ts'
import { FlagInput, Id, named, nullable } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

const Link = named('FeedLink', {
  id: Id,
  title: Type.String(),
  url: Type.String(),
  icon: Type.String(),
  enabled: Type.Boolean(),
  new_tab: Type.Boolean(),
})

export const links = {
  list: route({
    method: 'GET',
    path: '/feeds/links',
    access: 'admin',
    summary: 'List feed links',
    response: Type.Object({ links: Type.Array(Link) }),
  }),
  save: route({
    method: 'POST',
    path: '/feeds/links',
    access: 'admin',
    summary: 'Replace feed links',
    body: Type.Object({
      links: Type.Array(
        Type.Object({
          title: Type.String({ minLength: 1, maxLength: 200 }),
          url: Type.String({ maxLength: 2048 }),
          icon: Type.Optional(nullable(Type.String({ maxLength: 2048 }))),
          enabled: Type.Optional(FlagInput),
          new_tab: Type.Optional(FlagInput),
        }),
        { maxItems: 100 },
      ),
    }),
    response: Type.Object({ message: Type.String(), links: Type.Array(Link) }),
    errors: ['invalid_url'],
  }),
} as const
