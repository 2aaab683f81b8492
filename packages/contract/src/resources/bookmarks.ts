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
    summary: 'List bookmarks',
    description:
      'Returns the caller’s bookmarks. Add and remove bookmarks with `POST /feeds/{feed_id}/react`. Feeds that the caller can no longer see are omitted.',
    query: Type.Object({
      ...paging(20),
      order_by_type: Type.Optional(
        oneOf(BOOKMARK_ORDERS, {
          description: 'Sort order; `latest` and `oldest` sort by the date of the bookmark, the other values by its feed.',
        }),
      ),
      ...spaceFilter('Only feeds in this space.'),
    }),
    response: listOf(BookmarkWithFeed),
    errors: ['space_not_found'],
  }),
} as const
