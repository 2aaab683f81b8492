import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { members } from '../../app/root-routes.tsx'
import { queryClient } from '../../lib/query.ts'
import { searchRoutes } from '../search/routes.tsx'
import { homeFilter, homeSearch } from './home-filter.ts'
import { bookmarkListQuery, feedListQuery, feedQuery } from './queries.ts'

interface FeedSearch {
  /** ID of a linked comment. */
  readonly comment_id?: number
}

const feedSearch = ({ comment_id }: Readonly<Record<string, unknown>>): FeedSearch => {
  const id = Number(comment_id)
  return Number.isSafeInteger(id) && id > 0 ? { comment_id: id } : {}
}

const feedPage = {
  getParentRoute: () => members,
  validateSearch: feedSearch,
  loader: ({ params }: { readonly params: { readonly slug: string } }) => queryClient.ensureQueryData(feedQuery(params.slug)),
  component: lazyRouteComponent(() => import('./feed-page.tsx'), 'FeedPage'),
} as const

export const feedRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: '/',
    validateSearch: homeSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) => void queryClient.prefetchInfiniteQuery(feedListQuery(homeFilter(deps))),
    component: lazyRouteComponent(() => import('./home.tsx'), 'HomePage'),
  }),
  createRoute({ ...feedPage, path: '/feeds/$slug' }),
  createRoute({ ...feedPage, path: '/spaces/$space/feeds/$slug' }),
  createRoute({
    getParentRoute: () => members,
    path: '/bookmarks',
    loader: () => void queryClient.prefetchInfiniteQuery(bookmarkListQuery('latest')),
    component: lazyRouteComponent(() => import('./bookmarks.tsx'), 'BookmarksPage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/scheduled',
    component: lazyRouteComponent(() => import('./scheduled/page.tsx'), 'ScheduledPage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/drafts',
    component: lazyRouteComponent(() => import('./scheduled/page.tsx'), 'DraftsPage'),
  }),
  ...searchRoutes,
] as const
