import type { FastifyReply, FastifyRequest } from 'fastify'
import { nowOf } from '../../core/clock.ts'
import type { Actor, Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Page } from '../../http/pages/static-web-app.ts'
import type { RequestAuthenticator } from '../../http/pipeline/authenticate-request.ts'
import { maySee } from './access.ts'
import { isOwnPath, withPathsAbove } from './paths.ts'
import { hasRedirects, newPathOf, redirectsOf } from './queries.ts'

/** An expired session is no session. */
const caller = async (authenticate: RequestAuthenticator, request: FastifyRequest, reply: FastifyReply): Promise<Actor | null> => {
  try {
    return await authenticate(request, reply, { open: true, ignoreCookie: false })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/** Redirects requests for an address that an object had before it was imported, unless the object is hidden from the caller. */
export const createMoved =
  ({ config, database, clock }: Pick<Services, 'config' | 'database' | 'clock'>, authenticate: RequestAuthenticator): Page =>
  async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const url = URL.parse(request.originalUrl, 'https://community.invalid')
    if (!url || isOwnPath(url.pathname)) return null
    const paths = withPathsAbove(url)
    if (paths.length === 0) return null
    const { read } = database
    if (!(await hasRedirects(read, []))) return null
    // Before the look-up, so that an address that leads to something hidden is treated like one that leads nowhere.
    const actor = await caller(authenticate, request, reply)
    const rows = await redirectsOf(read, paths)
    const ctx = { db: read, now: nowOf(clock), actor }
    for (const path of paths)
      for (const row of rows) {
        const target = row.path === path ? newPathOf(row) : null
        if (target === null || !(await maySee(ctx, row))) continue
        // Another caller may not see it.
        return reply
          .header('cache-control', 'private, no-cache')
          .header('vary', 'cookie, authorization')
          .redirect(config.basePath + target, 301)
      }
    return null
  }
