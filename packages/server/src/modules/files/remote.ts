import { MEDIA_TYPES } from '@lyceum/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isHttpUrl } from '../../content/url.ts'
import type { Actor, Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { PageTools } from '../../core/module.ts'
import { ownerOf } from '../../http/responses/unsent-bytes.ts'
import { isPictureHost } from '../../http/security/picture-hosts.ts'
import { DAY_S, HOUR_S, isExempt, MINUTE_S } from '../../limits/budgets.ts'
import { OutboundError } from '../../outbound/index.ts'
import { BusyError } from '../../secrets/semaphore.ts'
import { createFairSemaphore } from '../../util/fair-semaphore.ts'
import { pictureTypeOf } from './picture-type.ts'

interface Picture {
  readonly type: string
  readonly body: Buffer
}

const MOST_BYTES = 8 * 2 ** 20
/** Pictures that are fetched at once: they must not keep webhooks and push messages from going out. */
const AT_ONCE = 12
/** Those of one member, since any of them may be slow, and how many more of a member may wait. */
const PER_MEMBER = 6
const WAITING_PER_MEMBER = 60
const WAIT_MS = 5000
const REQUEST = {
  redirects: 3,
  maxBytes: MOST_BYTES,
  timeoutMs: 8000,
  headers: { accept: MEDIA_TYPES.filter((type) => type.startsWith('image/')).join(',') },
}
/** Bytes of pictures that are kept, and how long they are good, in milliseconds. */
const MAX_CACHE_BYTES = 32 * 2 ** 20
const RETENTION_MS = 600_000
/** A path on this site: two slashes would be another host. */
const OWN_PATH = /^\/[^/\\]/
const POLICY = "default-src 'none'; sandbox"

const notFound = () => new ApiError('media_not_found')

/** Recently fetched pictures; concurrent requests for one picture share a single fetch. */
const createShelf = () => {
  const kept = new Map<string, { readonly picture: Picture; readonly until: number }>()
  const coming = new Map<string, Promise<Picture>>()
  let bytes = 0
  const drop = (url: string) => {
    bytes -= kept.get(url)?.picture.body.length ?? 0
    kept.delete(url)
  }
  return (url: string, now: number, fetch: () => Promise<Picture>): Promise<Picture> => {
    const known = kept.get(url)
    if (known && known.until > now) return Promise.resolve(known.picture)
    const present = coming.get(url)
    if (present !== undefined) return present
    const work = fetch()
      .then((picture) => {
        drop(url)
        kept.set(url, { picture, until: now + RETENTION_MS })
        bytes += picture.body.length
        for (const oldest of kept.keys()) {
          if (bytes <= MAX_CACHE_BYTES) break
          drop(oldest)
        }
        return picture
      })
      .finally(() => coming.delete(url))
    coming.set(url, work)
    return work
  }
}

const readPicture = (body: Buffer): Picture => {
  const type = pictureTypeOf(body)
  if (type === null) throw notFound()
  return { type, body }
}

/**
 * `GET /media/remote?url=…`: a picture that lies on another site, fetched by this server, so that whoever put its address into a post does not
 * see who reads it. For members alone: nobody else may send requests through here. Hosts that pages load from directly are redirected to.
 */
export const serveRemotePictures = (app: FastifyInstance, { services, gate, unsent }: PageTools) => {
  const { outbound, clock, config, budgets } = services
  const turns = createFairSemaphore<number>({ concurrent: AT_ONCE, perOwner: PER_MEMBER, waitingPerOwner: WAITING_PER_MEMBER })
  const find = createShelf()

  const spend = async (actor: Actor, since: number) => {
    if (!budgets.on || isExempt(actor)) return
    const { remote_pictures_per_minute: limit } = await budgets.read(since)
    await budgets.spend([{ kind: 'remote_pictures', key: actor.id, limit, windowS: MINUTE_S }])
  }

  const fetchPicture = async (url: string, { id }: Actor): Promise<Picture> => {
    const since = performance.now()
    return turns.run(id, async () => {
      if (performance.now() - since > WAIT_MS) throw notFound()
      const { status, body } = await outbound.request(url, REQUEST)
      if (status !== 200) throw notFound()
      return readPicture(body)
    })
  }

  const serve = async (request: FastifyRequest<{ Querystring: { url?: unknown } }>, reply: FastifyReply) => {
    const actor = await gate(request, reply, { open: true, ignoreCookie: false })
    const { url } = request.query
    if (typeof url !== 'string' || !isHttpUrl(url)) throw new ApiError('invalid_url', { data: { field: 'url' } })
    const target = new URL(url)
    if (target.origin === ownOrigin(services)) {
      if (!OWN_PATH.test(target.pathname)) throw notFound()
      return reply.redirect(target.pathname)
    }
    if (isPictureHost(config, target)) return reply.header('cache-control', `private, max-age=${HOUR_S}`).redirect(target.href)
    if (!actor) throw new ApiError('rest_forbidden', { status: 401, message: 'Sign in to do that.', challenge: false })
    await spend(actor, request.moment)
    target.hash = ''
    const { type, body } = await find(target.href, clock.now().getTime(), () => fetchPicture(target.href, actor)).catch((error) => {
      throw error instanceof OutboundError || error instanceof BusyError ? notFound() : error
    })
    // Few readers share a picture, so that its memory counts in full for each.
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

const ownOrigin = (services: Services): string => new URL(services.origin()).origin
