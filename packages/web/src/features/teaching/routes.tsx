import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { members } from '../../app/root-routes.tsx'

const UNSEEN = ['draft', 'archived'] as const
const FILTERS = ['passed', 'failed'] as const
const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined

/** The status filter of the user's courses; published by default. */
interface OwnSearch {
  readonly only?: (typeof UNSEEN)[number] | undefined
}

/** Filters of the quiz results. */
interface ResultSearch {
  readonly quiz?: number | undefined
  readonly only?: (typeof FILTERS)[number] | undefined
  readonly page?: number | undefined
}

export const teachingRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: '/teaching',
    validateSearch: ({ only }: Record<string, unknown>): OwnSearch => ({ only: UNSEEN.find((known) => known === only) }),
    component: lazyRouteComponent(() => import('./my-courses.tsx'), 'MyCoursesPage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/teaching/new',
    component: lazyRouteComponent(() => import('./new-course.tsx'), 'NewCoursePage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/teaching/$slug',
    component: lazyRouteComponent(() => import('./content-page.tsx'), 'ContentPage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/teaching/$slug/settings',
    component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/teaching/$slug/students',
    component: lazyRouteComponent(() => import('./students-page.tsx'), 'StudentsPage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/teaching/$slug/results',
    validateSearch: ({ quiz, only, page }: Record<string, unknown>): ResultSearch => ({
      quiz: positive(quiz),
      only: FILTERS.find((known) => known === only),
      page: positive(page),
    }),
    component: lazyRouteComponent(() => import('./results-page.tsx'), 'ResultsPage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/teaching/$slug/results/$attempt',
    component: lazyRouteComponent(() => import('./grading-page.tsx'), 'GradingPage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/teaching/$slug/lessons/$lesson',
    component: lazyRouteComponent(() => import('./lesson-editor-page.tsx'), 'LessonEditorPage'),
  }),
] as const
