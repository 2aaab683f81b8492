import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { members } from '../../app/root-routes.tsx'
import { queryClient } from '../../lib/query.ts'

/** Starts the page's queries while its code loads. */
const queries = () => import('./queries.ts')

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const LEVELS = ['beginner', 'intermediate', 'advanced'] as const

/** Search parameters of the catalog; `mine` shows the user's courses. */
interface CatalogueSearch {
  readonly mine?: true | undefined
  readonly q?: string | undefined
  readonly category?: string | undefined
  readonly level?: (typeof LEVELS)[number] | undefined
}

const catalogueSearch = ({ mine, q, category, level }: Record<string, unknown>): CatalogueSearch => ({
  mine: mine === true ? true : undefined,
  q: text(q),
  category: text(category),
  level: LEVELS.find((known) => known === level),
})

const prefetch = ({ params }: { readonly params: { readonly slug: string } }): void =>
  void queries()
    .then(({ prefetchCourse }) => prefetchCourse(params.slug))
    .catch(() => {})

export const courseRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: '/courses',
    validateSearch: catalogueSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ deps: { mine, q, category, level } }) =>
      void queries().then(({ courseListQuery, myCoursesQuery }) => {
        if (mine) void queryClient.prefetchInfiniteQuery(myCoursesQuery())
        else void queryClient.prefetchInfiniteQuery(courseListQuery({ search: q, category, difficulty: level }))
      }),
    component: lazyRouteComponent(() => import('./catalogue.tsx'), 'CataloguePage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/courses/$slug',
    loader: prefetch,
    component: lazyRouteComponent(() => import('./course-page.tsx'), 'CoursePage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/courses/$slug/lessons/$lesson',
    loader: prefetch,
    component: lazyRouteComponent(() => import('./lesson-page.tsx'), 'LessonPage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/courses/$slug/certificate',
    component: lazyRouteComponent(() => import('./certificate-page.tsx'), 'CertificatePage'),
  }),
] as const
