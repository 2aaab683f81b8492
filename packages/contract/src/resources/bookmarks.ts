import { route } from '../route.ts'
import { Datetime, Id, listOf, named, oneOf, paging, spaceFilter } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { Feed } from './feeds.ts'

export const BOOKMARK_ORDERS = ['latest', 'oldest', 'new_activity', 'likes', 'popular', 'alphabetical', 'unanswered'] as const

const fields = { id: Id, user_id: Id, feed_id: Id, created_at: Datetime }

export const Bookmark = named('Bookmark', fields)
export const BookmarkWithFeed = named('BookmarkWithFeed', { ...fields, feed: Feed })

export const bookmarks = {
  list: route({
    method: 'GET',
    path: '/feeds/bookmarks',
    access: 'member',
    summary: 'The caller’s bookmarks',
    description: 'Bookmarks are made and removed with `POST /feeds/{feed_id}/react`. A feed that the caller no longer sees is left out.',
    query: Type.Object({
      ...paging(20),
      order_by_type: Type.Optional(
        oneOf(BOOKMARK_ORDERS, { description: '`latest` and `oldest` go by the bookmark, the others by its feed' }),
      ),
      ...spaceFilter('Feeds of this space'),
    }),
    response: listOf(BookmarkWithFeed),
    errors: ['space_not_found'],
  }),
} as const
