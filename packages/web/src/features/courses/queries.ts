import type { Answers, Inputs } from '@lyceum/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { nextPage } from '../../lib/pagination.ts'
import { queryClient } from '../../lib/query.ts'
import { keys } from '../../lib/query-keys.ts'
import type { Me } from '../../lib/session.ts'

export type Course = Answers['courses']['list']['courses']['data'][number]
export type CourseDetail = Answers['courses']['bySlug']['data']
export type Lesson = Answers['lessons']['list']['data'][number]
export type LessonDetail = Answers['lessons']['byId']['data']
export type QuizInfo = NonNullable<LessonDetail['quiz']>
export type QuizDetail = Answers['quizzes']['result']['detailed_results'][number]
export type QuizResult = Answers['quizzes']['result']
export type Attempt = Answers['quizzes']['start']['data']

/** Filters of a course list. */
export type CourseFilter = Pick<Inputs['courses']['list'], 'search' | 'category' | 'difficulty' | 'status'>

const PER_PAGE = 24

export const courseListQuery = (filter: CourseFilter) =>
  infiniteQueryOptions({
    queryKey: keys.courses.list(filter),
    queryFn: ({ pageParam, signal }) =>
      client.courses.list({ ...filter, orderby: 'title', order: 'asc', page: pageParam, per_page: PER_PAGE }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ courses }) => nextPage(courses),
  })

export const myCoursesQuery = () =>
  infiniteQueryOptions({
    queryKey: keys.courses.enrolled,
    queryFn: ({ pageParam, signal }) => client.courses.mine({ status: 'all', page: pageParam, per_page: PER_PAGE }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ courses }) => nextPage(courses),
  })

export const courseQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.courses.detail(slug),
    queryFn: async ({ signal }) => (await client.courses.bySlug({ course_slug: slug }, { signal })).data,
  })

export const lessonsQuery = (courseId: number) =>
  queryOptions({
    queryKey: keys.courses.lessons(courseId),
    queryFn: async ({ signal }) => (await client.lessons.list({ course_id: courseId, fields: 'summary' }, { signal })).data,
  })

export const lessonQuery = (courseId: number, lessonId: number) =>
  queryOptions({
    queryKey: keys.courses.lesson(courseId, lessonId),
    queryFn: async ({ signal }) => (await client.lessons.byId({ course_id: courseId, lesson_id: lessonId }, { signal })).data,
  })

const progressQuery = (courseId: number) =>
  queryOptions({
    queryKey: keys.courses.progress(courseId),
    queryFn: async ({ signal }) => (await client.progress.get({ course_id: courseId }, { signal })).data,
  })

export const certificateQuery = (courseId: number) =>
  queryOptions({
    queryKey: keys.courses.certificate(courseId),
    queryFn: async ({ signal }) => (await client.progress.certificate({ course_id: courseId }, { signal })).data,
  })

/** The result of an attempt; without a number, of the latest one. */
export const resultQuery = (courseId: number, lessonId: number, attempt = 'latest') =>
  queryOptions({
    queryKey: keys.courses.quizResult(courseId, lessonId, attempt),
    queryFn: ({ signal }) => client.quizzes.result({ course_id: courseId, lesson_id: lessonId, attempt }, { signal }),
  })

/** Loads everything the course page needs in parallel. */
export const prefetchCourse = async (slug: string): Promise<void> => {
  const course = await queryClient.ensureQueryData(courseQuery(slug))
  await Promise.all([
    queryClient.prefetchQuery(lessonsQuery(course.id)),
    course.is_enrolled && queryClient.prefetchQuery(progressQuery(course.id)),
  ])
}

/** Invalidates all cached data of a course, because all of it contains the user's progress. */
export const refreshCourse = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keys.courses.all })

/** Whether the user may create courses. */
export const canCreateCourses = (me: Me): boolean => me.permissions.includes('manage_spaces')

/** Whether the user manages courses: may create them, or teaches at least one. */
export const managesCoursesQuery = (me: Me) =>
  queryOptions({
    queryKey: keys.courses.managesAny,
    queryFn: async ({ signal }) =>
      canCreateCourses(me) || (await client.courses.list({ instructor_id: me.user_id, per_page: 1 }, { signal })).courses.total > 0,
    staleTime: 300_000,
  })
