import { type Answers, type Inputs, pages } from '@lyceum/sdk'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { nextPage } from '../../lib/pagination.ts'
import { keys } from '../../lib/query-keys.ts'
import type { Me } from '../../lib/session.ts'
import { canCreateCourses } from '../courses/queries.ts'

export type Section = Answers['courseSections']['list']['sections'][number]
export type SectionLesson = Section['lessons'][number]
export type Student = Answers['courses']['students']['data'][number]
export type ResultItem = Answers['adminQuizzes']['list']['quiz_results'][number]
export type ResultFilter = Pick<Inputs['adminQuizzes']['list'], 'lesson_id' | 'status' | 'page'>

export const managedCoursesQuery = (me: Me, status: 'published' | 'draft' | 'archived') =>
  infiniteQueryOptions({
    queryKey: keys.courses.managed(status),
    queryFn: ({ pageParam, signal }) =>
      client.courses.list(
        {
          status,
          page: pageParam,
          per_page: 50,
          orderby: 'title',
          order: 'asc',
          ...(!canCreateCourses(me) && { instructor_id: me.user_id }),
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ courses }) => nextPage(courses),
  })

/** All published courses by name, as possible prerequisites. */
export const publishedCoursesQuery = () =>
  queryOptions({
    queryKey: keys.courses.published,
    queryFn: async () => {
      const found: { readonly id: number; readonly title: string }[] = []
      for await (const { courses } of pages(client.courses.list, { per_page: 100, orderby: 'title', order: 'asc' }))
        found.push(...courses.data)
      return found
    },
  })

export const sectionsQuery = (courseId: number) =>
  queryOptions({
    queryKey: keys.courses.sections(courseId),
    queryFn: async ({ signal }) => (await client.courseSections.list({ course_id: courseId }, { signal })).sections,
  })

export const studentsQuery = (courseId: number, search: string) =>
  infiniteQueryOptions({
    queryKey: keys.courses.students(courseId, search),
    queryFn: ({ pageParam, signal }) =>
      client.courses.students({ course_id: courseId, page: pageParam, per_page: 50, ...(search && { search }) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => nextPage(meta),
    placeholderData: keepPreviousData,
  })

export const resultsQuery = (courseId: number, filter: ResultFilter) =>
  queryOptions({
    queryKey: keys.courses.submissions(courseId, filter),
    queryFn: ({ signal }) => client.adminQuizzes.list({ course_id: courseId, per_page: 50, ...filter }, { signal }),
    placeholderData: keepPreviousData,
  })

export const submissionQuery = (courseId: number, attemptId: number) =>
  queryOptions({
    queryKey: keys.courses.submission(courseId, attemptId),
    queryFn: ({ signal }) => client.adminQuizzes.show({ course_id: courseId, quiz_id: attemptId }, { signal }),
  })
