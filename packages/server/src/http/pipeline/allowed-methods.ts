import type { Method, Route } from '@lyceum/contract'

const METHODS: readonly (Method | 'HEAD')[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What a path allows that has no route for the method of a request. */
export interface Allowed {
  /** `/feeds/:feed_id` */
  readonly pattern: string
  /** The value of the `Allow` header. */
  readonly allow: string
  /** Whether no route of the path needs authentication. */
  readonly open: boolean
}

type RoutesByPattern = ReadonlyMap<string, readonly { readonly route: Route }[]>

/** Segments of a path or pattern, without a slash at its end. */
const segmentsOf = (path: string): string[] => path.replace(/\/$/, '').split('/')

const isParameter = (segment: string | undefined): boolean => segment?.startsWith(':') === true

/** Of a pattern and a path with the same number of segments. */
const matches = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.every((segment, i) => isParameter(segment) || segment === path[i])

/** Fixed segments come before parameters, as in the router. */
const bySpecificity = (a: readonly string[], b: readonly string[]): number => {
  const at = a.findIndex((segment, i) => isParameter(segment) !== isParameter(b[i]))
  if (at === -1) return 0
  return isParameter(a[at]) ? 1 : -1
}

/**
 * Finds what a path allows. Registering a handler for each method that a path does not have would triple the routes, and the time that the
 * router takes to start.
 */
export const createAllowedMethods = (byPattern: RoutesByPattern) => {
  const table = [...byPattern].map(([pattern, list]) => {
    const methods = METHODS.filter((method) =>
      list.some(({ route }) => route.method === method || (method === 'HEAD' && route.method === 'GET')),
    )
    const open = list.every(({ route }) => route.access === 'public')
    return { pattern, segments: segmentsOf(pattern), methods, open, allow: [...methods, 'OPTIONS'].join(', ') }
  })
  const byLength = Map.groupBy(table, ({ segments }) => segments.length)
  for (const list of byLength.values()) list.sort((a, b) => bySpecificity(a.segments, b.segments))

  const general = Map.groupBy(
    table.filter(({ segments }) => segments.some(isParameter)),
    ({ segments }) => segments.length,
  )
  const shadowing = table
    .map(({ pattern, segments, methods, ...entry }) => {
      const others = general.get(segments.length)?.filter((other) => other.pattern !== pattern && matches(other.segments, segments)) ?? []
      const shadowed = new Set(others.flatMap((other) => other.methods)).difference(new Set(methods))
      return { ...entry, pattern, methods: [...shadowed] }
    })
    .filter(({ methods }) => methods.length > 0)

  return {
    /** Patterns with the methods for which the router would choose a less specific pattern. */
    shadowing,
    /** For a path that the router did not find with this method. */
    find: (method: string, path: string): Allowed | undefined => {
      if (method !== 'OPTIONS' && !METHODS.some((known) => known === method)) return
      const segments = segmentsOf(path).map(decodeURIComponent)
      return byLength.get(segments.length)?.find((entry) => matches(entry.segments, segments))
    },
  }
}
