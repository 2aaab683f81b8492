import { bookmarks, feeds } from './resources/feeds.ts'

/** Every resource of the API. */
export const api = { feeds, bookmarks } as const
