import type { Client } from '@lyceum/sdk'

/** Path parameters of pages. */
export interface Tour {
  readonly person: string
  readonly space: string
  readonly feed: string
  readonly course: string
  readonly lesson: string
  readonly quiz: string
  readonly attempt: number
}

/** A page of the app and the user who opens it. */
export interface AppPage {
  readonly name: string
  readonly as: 'nobody' | 'member' | 'admin'
  readonly path: (tour: Tour) => string
}

const of = (as: AppPage['as'], pages: Readonly<Record<string, string | AppPage['path']>>): AppPage[] =>
  Object.entries(pages).map(([name, path]) => ({ name, as, path: typeof path === 'string' ? () => path : path }))

/** All pages of the app, for accessibility tests and screenshots. */
export const PAGES: readonly AppPage[] = [
  ...of('nobody', {
    'sign-in': '/sign-in',
    'sign-up': '/sign-up',
    'forgot-password': '/forgot-password',
    'reset-password': '/reset-password?token=1',
  }),
  ...of('member', {
    home: '/',
    feed: ({ feed }) => `/feeds/${feed}`,
    spaces: '/spaces',
    space: ({ space }) => `/spaces/${space}`,
    'space-members': ({ space }) => `/spaces/${space}/members`,
    'space-about': ({ space }) => `/spaces/${space}/about`,
    people: '/people',
    profile: ({ person }) => `/people/${person}`,
    'profile-activity': ({ person }) => `/people/${person}/activity`,
    'follow-requests': '/people/requests',
    leaderboard: '/leaderboard',
    bookmarks: '/bookmarks',
    scheduled: '/scheduled',
    drafts: '/drafts',
    notifications: '/notifications',
    search: '/search?q=garden',
    courses: '/courses',
    course: ({ course }) => `/courses/${course}`,
    lesson: ({ course, lesson }) => `/courses/${course}/lessons/${lesson}`,
    quiz: ({ course, quiz }) => `/courses/${course}/lessons/${quiz}`,
    account: '/account',
    'account-security': '/account/security',
    'account-notifications': '/account/notifications',
    'account-display': '/account/display',
    'account-data': '/account/data',
    'not-found': '/nowhere',
  }),
  ...of('admin', {
    'space-new': '/spaces/new',
    'space-settings': ({ space }) => `/spaces/${space}/settings`,
    teaching: '/teaching',
    'teaching-new': '/teaching/new',
    'teaching-content': ({ course }) => `/teaching/${course}`,
    'teaching-lesson': ({ course, lesson }) => `/teaching/${course}/lessons/${lesson}`,
    'teaching-quiz': ({ course, quiz }) => `/teaching/${course}/lessons/${quiz}`,
    'teaching-settings': ({ course }) => `/teaching/${course}/settings`,
    'teaching-students': ({ course }) => `/teaching/${course}/students`,
    'teaching-results': ({ course }) => `/teaching/${course}/results`,
    'teaching-grading': ({ course, attempt }) => `/teaching/${course}/results/${attempt}`,
    dashboard: '/admin',
    queue: '/admin/queue',
    reports: '/admin/reports',
    rules: '/admin/rules',
    audit: '/admin/audit',
    'sign-in-failures': '/admin/sign-in-failures',
    members: '/admin/members',
    registrations: '/admin/registrations',
    managers: '/admin/managers',
    general: '/admin/general',
    appearance: '/admin/appearance',
    welcome: '/admin/welcome',
    menus: '/admin/menus',
    mail: '/admin/mail',
    'mail-texts': '/admin/mail-texts',
    privacy: '/admin/privacy',
    limits: '/admin/limits',
    storage: '/admin/storage',
    features: '/admin/features',
    'space-groups': '/admin/space-groups',
    topics: '/admin/topics',
    levels: '/admin/levels',
    imports: '/admin/import',
    import: '/admin/import/csv',
    webhooks: '/admin/webhooks',
  }),
]

const first = <T>([item]: readonly T[], kind: string): T => {
  if (item === undefined) throw new Error(`the community has no ${kind}`)
  return item
}

/** Finds the path parameters in a community filled by `lyceum demo`; the client is its administrator. */
export const tourOf = async (client: Client): Promise<Tour> => {
  const { spaces } = await client.spaces.list()
  const { feeds } = await client.feeds.list({ per_page: 50 })
  const feed = first(
    [...feeds.data].sort((a, b) => b.comments_count - a.comments_count),
    'post',
  )
  const { courses } = await client.courses.list()
  for (const course of courses.data) {
    const { data: lessons } = await client.lessons.list({ course_id: course.id })
    const quiz = lessons.find(({ type }) => type === 'quiz')
    const lesson = lessons.find(({ type }) => type !== 'quiz')
    const [attempt] = (await client.adminQuizzes.list({ course_id: course.id })).quiz_results
    if (!quiz || !lesson || !attempt) continue
    return {
      person: first([feed.xprofile], 'person').username,
      space: first(spaces, 'space').slug,
      feed: feed.slug,
      course: course.slug,
      lesson: lesson.slug,
      quiz: quiz.slug,
      attempt: attempt.id,
    }
  }
  throw new Error('no course has a lesson and a submitted quiz')
}
