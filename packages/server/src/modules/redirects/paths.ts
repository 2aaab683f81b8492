import { decodePath } from '../../util/decode-path.ts'

const MAX_PATH = 1000
/** How many parts at the end of a path may be missing from the stored one, such as the page of a thread or a tab of a profile. */
const MAX_FURTHER = 3

const withoutSlashes = (path: string): string => {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** How redirects store a path: decoded, without slashes at the end. */
const normalizePath = (path: string): string => withoutSlashes(decodePath(path).replaceAll('\0', ''))

/** The paths under which a redirect may be stored, most exact first; none for the page of the whole site. */
export const storedPaths = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string[] => {
  if (pathname.length > MAX_PATH) return []
  const path = normalizePath(pathname)
  const paths = search ? [`${path}${decodePath(search).replace(/\0/g, '')}`, path] : [path]
  return paths.filter((one) => one !== '/' && one.length <= MAX_PATH)
}

/** An address whose stored path is this one. */
export const addressOf = (path: string): string => {
  const plain = encodeURI(path.toWellFormed()).replaceAll('#', '%23')
  const url = URL.parse(plain, 'https://community.invalid')
  return url && storedPaths(url)[0] === path ? plain : path.toWellFormed().split('/').map(encodeURIComponent).join('/')
}

/** The paths under which a redirect may be stored, followed by the paths above. */
export const withPathsAbove = (url: Pick<URL, 'pathname' | 'search'>): string[] => {
  const paths = storedPaths(url)
  const parts = (paths.at(-1) ?? '').split('/').slice(1)
  const above = Array.from({ length: Math.min(MAX_FURTHER, parts.length - 1) }, (_, i) => `/${parts.slice(0, -1 - i).join('/')}`)
  return [...paths, ...above]
}

/** Pages of the web app; those of the second list have further ones below. */
const PAGES = new Set(
  `search bookmarks scheduled drafts notifications leaderboard sign-in sign-up forgot-password reset-password verify-email confirm-email
   undo-email-change setup`.split(/\s+/),
)
const ROOTS = new Set('account admin certificates courses feeds media people spaces teaching u'.split(' '))

/** Whether the web app has a page at the path, or could have one. */
export const isOwnPath = (pathname: string): boolean => {
  const [first = '', ...further] = normalizePath(pathname).split('/').slice(1)
  return ROOTS.has(first) || (PAGES.has(first) && further.length === 0)
}
