import { type Answers, type Inputs, pages } from '@lyceum/sdk'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import type { Me } from '../../lib/session.ts'

/** Whether somebody may make courses. */
export const mayMake = (me: Me): boolean => me.permissions.includes('manage_spaces')

/** Whether somebody runs courses: makes them, or teaches at least one. */
export const teachesQuery = (me: Me) =>
  queryOptions({
    queryKey: ['courses', 'teaches'],
    queryFn: async ({ signal }) =>
      mayMake(me) || (await client.courses.list({ instructor_id: me.user_id, per_page: 1 }, { signal })).courses.total > 0,
    staleTime: 300_000,
  })

export type Section = Answers['courseSections']['list']['sections'][number]
export type SectionLesson = Section['lessons'][number]
export type Student = Answers['courses']['students']['data'][number]
export type ResultItem = Answers['adminQuizzes']['list']['quiz_results'][number]
export type ResultFilter = Pick<Inputs['adminQuizzes']['list'], 'lesson_id' | 'status' | 'page'>

export const ownCoursesQuery = (me: Me, status: 'published' | 'draft' | 'archived') =>
  infiniteQueryOptions({
    queryKey: ['courses', 'own', status],
    queryFn: ({ pageParam, signal }) =>
      client.courses.list(
        { status, page: pageParam, per_page: 50, orderby: 'title', order: 'asc', ...(!mayMake(me) && { instructor_id: me.user_id }) },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ courses }) => (courses.current_page < courses.last_page ? courses.current_page + 1 : undefined),
  })

/** All published courses, by name: those that another one can build upon. */
export const allCoursesQuery = () =>
  queryOptions({
    queryKey: ['courses', 'all'],
    queryFn: async () => {
      const found: { readonly id: number; readonly title: string }[] = []
      for await (const { courses } of pages(client.courses.list, { per_page: 100, orderby: 'title', order: 'asc' }))
        found.push(...courses.data)
      return found
    },
  })

export const sectionsQuery = (courseId: number) =>
  queryOptions({
    queryKey: ['courses', 'sections', courseId],
    queryFn: async ({ signal }) => (await client.courseSections.list({ course_id: courseId }, { signal })).sections,
  })

export const studentsQuery = (courseId: number, search: string) =>
  infiniteQueryOptions({
    queryKey: ['courses', 'students', courseId, search],
    queryFn: ({ pageParam, signal }) =>
      client.courses.students({ course_id: courseId, page: pageParam, per_page: 50, ...(search && { search }) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.current_page < meta.total_pages ? meta.current_page + 1 : undefined),
    placeholderData: keepPreviousData,
  })

export const resultsQuery = (courseId: number, filter: ResultFilter) =>
  queryOptions({
    queryKey: ['courses', 'results', courseId, filter],
    queryFn: ({ signal }) => client.adminQuizzes.list({ course_id: courseId, per_page: 50, ...filter }, { signal }),
    placeholderData: keepPreviousData,
  })

export const submissionQuery = (courseId: number, attemptId: number) =>
  queryOptions({
    queryKey: ['courses', 'submission', courseId, attemptId],
    queryFn: ({ signal }) => client.adminQuizzes.show({ course_id: courseId, quiz_id: attemptId }, { signal }),
  })
