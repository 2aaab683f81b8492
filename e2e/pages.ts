/** A page of the app, and who opens it. */
export interface AppPage {
  readonly name: string
  readonly path: string
  readonly as: 'nobody' | 'member' | 'admin'
}

const of = (as: AppPage['as'], pages: Readonly<Record<string, string>>): AppPage[] =>
  Object.entries(pages).map(([name, path]) => ({ name, path, as }))

/** Every page of the app: they are looked at for what keeps people out, and pictures are taken of them. */
export const PAGES: readonly AppPage[] = [
  ...of('nobody', { 'sign-in': '/sign-in', 'sign-up': '/sign-up', 'forgot-password': '/forgot-password' }),
  ...of('member', {
    home: '/',
    spaces: '/spaces',
    people: '/people',
    courses: '/courses',
    leaderboard: '/leaderboard',
    bookmarks: '/bookmarks',
    notifications: '/notifications',
    search: '/search?q=garden',
    account: '/account',
  }),
  ...of('admin', { dashboard: '/admin', queue: '/admin/queue' }),
]
