import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nowOf } from '../../core/clock.ts'
import { ApiError } from '../../core/errors.ts'
import type { PageTools } from '../../core/module.ts'
import { StorageUnavailable } from '../../storage/index.ts'
import { exportByKey, isReady } from './export-queries.ts'

const KEY = /^[0-9a-f]{32}$/

type DownloadRequest = FastifyRequest<{ Params: { key: string } }>

/** Data exports under /exports. Only their owner can download them; to everybody else they do not exist. */
export const serveExports = (app: FastifyInstance, { services, authenticate }: PageTools) => {
  const { database, clock, storage, log } = services

  const download = async (request: DownloadRequest, reply: FastifyReply) => {
    const actor = await authenticate(request, reply, { open: true, ignoreCookie: false })
    if (!actor) throw new ApiError('rest_forbidden', { status: 401, message: 'Authentication is required.', challenge: false })
    const { key } = request.params
    const row = KEY.test(key) ? await exportByKey(database.read, [key]) : undefined
    if (row?.user_id !== actor.id || row.path === null || !isReady(row, nowOf(clock))) throw new ApiError('export_not_found')
    const content = await storage
      .of(row.store)
      .get(row.path)
      .catch((error) => {
        if (!(error instanceof StorageUnavailable)) throw error
        log.error({ event: 'export_read_failed', err: error, export_id: row.id }, 'failed to read a data export')
        throw new ApiError('service_unavailable')
      })
    if (!content) throw new ApiError('export_not_found')
    reply
      .header('content-type', 'application/zip')
      .header('content-length', String(row.size))
      .header('content-disposition', `attachment; filename="lyceum-${row.created_at.slice(0, 10)}.zip"`)
      .header('cache-control', 'private, no-store')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
    if (request.method === 'HEAD') {
      content.destroy()
      return reply.send(null)
    }
    return reply.send(content)
  }

  app.route({ method: ['GET', 'HEAD'], url: '/exports/:key/:name', exposeHeadRoute: false, handler: download as never })
}
