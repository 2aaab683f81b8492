import { isHttpUrl } from '@lyceum/content'
import { MEDIA_TYPES } from '@lyceum/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Snapshot } from '../../cache/index.ts'
import type { Actor } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { PageTools } from '../../core/module.ts'
import { ownerOf } from '../../http/responses/unsent-bytes.ts'
import { isPictureHost } from '../../http/security/picture-hosts.ts'
import { DAY_S, HOUR_S, isExempt, MINUTE_S } from '../../limits/budgets.ts'
import { OutboundError } from '../../outbound/index.ts'
import { BusyError, createSemaphore } from '../../util/semaphore.ts'
import { pictureTypeOf } from './picture-type.ts'

interface Picture {
  readonly type: string
  readonly body: Buffer
}

const MAX_PICTURE_BYTES = 8 * 2 ** 20
/** Concurrent fetches, limited so that they cannot delay webhooks and push messages. */
const MAX_CONCURRENT = 12
/** Per member, since all of a member's pictures may be slow; and the length of the member's queue. */
const PER_MEMBER = 6
const WAITING_PER_MEMBER = 60
const WAIT_MS = 5000
const REQUEST = {
  redirects: 3,
  maxBytes: MAX_PICTURE_BYTES,
  timeoutMs: 8000,
  headers: { accept: MEDIA_TYPES.filter((type) => type.startsWith('image/')).join(',') },
}
/** Size of the cache in bytes, and its TTL in milliseconds. */
const MAX_CACHE_BYTES = 32 * 2 ** 20
const RETENTION_MS = 600_000
/** A path on this site; two slashes would begin a hostname. */
const OWN_PATH = /^\/[^/\\]/
const POLICY = "default-src 'none'; sandbox"

const notFound = () => new ApiError('media_not_found')

/**
 * `GET /media/remote?url=…`: a proxy for pictures on other sites, so that the author of a post cannot see who reads it. Requires an
 * account, so that it is not an open proxy. Hosts that pages may load directly are redirected to.
 */
export const serveRemotePictures = (app: FastifyInstance, { services, authenticate, unsent }: PageTools) => {
  const { outbound, clock, config, budgets } = services
  const turns = createSemaphore<number>({
    concurrent: MAX_CONCURRENT,
    perKey: PER_MEMBER,
    waitingPerKey: WAITING_PER_MEMBER,
    maxWaitMs: WAIT_MS,
  })

  const fetchPicture = async (url: string): Promise<Picture> => {
    const { status, body } = await outbound.request(url, REQUEST)
    const type = pictureTypeOf(body)
    if (status !== 200 || type === null) throw notFound()
    return { type, body }
  }

  /** Recently fetched pictures; concurrent requests for one picture share a single fetch. */
  const pictures = new LRUCache<string, Picture, Actor>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ body }) => body.length,
    ttl: RETENTION_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
    // A fetch that is evicted before its end still has a result for those who wait for it.
    ignoreFetchAbort: true,
    fetchMethod: (url, _stale, { context: { id } }) => turns.run(id, () => fetchPicture(url)),
  })

  const spend = async (actor: Actor, snapshot: Snapshot) => {
    if (!budgets.on || isExempt(actor)) return
    const { remote_pictures_per_minute: limit } = await budgets.read(snapshot)
    await budgets.spend([{ kind: 'remote_pictures', key: actor.id, limit, windowS: MINUTE_S }])
  }

  const serve = async (request: FastifyRequest<{ Querystring: { url?: unknown } }>, reply: FastifyReply) => {
    const actor = await authenticate(request, reply, { open: true, ignoreCookie: false })
    const { url } = request.query
    if (typeof url !== 'string' || !isHttpUrl(url)) throw new ApiError('invalid_url', { data: { field: 'url' } })
    const target = new URL(url)
    if (target.origin === new URL(services.origin()).origin) {
      if (!OWN_PATH.test(target.pathname)) throw notFound()
      return reply.redirect(target.pathname)
    }
    if (isPictureHost(config, target)) return reply.header('cache-control', `private, max-age=${HOUR_S}`).redirect(target.href)
    if (!actor) throw new ApiError('rest_forbidden', { status: 401, message: 'Authentication is required.', challenge: false })
    await spend(actor, request.snapshot)
    target.hash = ''
    const { type, body } = await pictures.forceFetch(target.href, { context: actor }).catch((error) => {
      throw error instanceof OutboundError || error instanceof BusyError ? notFound() : error
    })
    // A picture is rarely shared by several readers, so its memory is charged in full to each of them.
    const owner = ownerOf(request)
    unsent.checkRoom(owner, body.length, body)
    unsent.hold(owner, reply.raw, body.length, body)
    return reply
      .header('content-type', type)
      .header('content-security-policy', POLICY)
      .header('content-disposition', 'inline')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', `private, max-age=${DAY_S}`)
      .send(body)
  }

  app.get('/media/remote', serve as never)
}
