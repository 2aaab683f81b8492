import { pipeline, type Readable, Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nowOf } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { PageTools } from '../../core/module.ts'
import type { MediaRow } from '../../db/index.ts'
import { type Owner, ownerOf } from '../../http/responses/unsent-bytes.ts'
import { type ByteRange, StorageUnavailable } from '../../storage/index.ts'
import { createFairTurns } from '../../util/fair-turns.ts'
import { mediaAbilities } from './access.ts'
import { mediaByKey } from './repository.ts'
import { isShown } from './types.ts'

const KEY = /^[0-9a-f]{32}$/
/** Access can be revoked, so browsers must revalidate after this many seconds. */
const RETENTION_S = 300
const POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

const notFound = () => new ApiError('media_not_found')

/** Percent-encodes the characters that RFC 5987 does not allow but encodeURIComponent leaves alone. */
const encoded = (name: string) => encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

const disposition = ({ file_name, file_type }: MediaRow) => {
  const plain = file_name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `${isShown(file_type) ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded(file_name)}`
}

/** The requested byte range; null: the whole file; 'none': not satisfiable. */
export const readRange = (header: string | undefined, size: number): ByteRange | null | 'none' => {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!match || (!match[1] && !match[2])) return null
  const [first = '', last = ''] = [match[1], match[2]]
  if (!first) {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last ? Math.min(Number(last), size - 1) : size - 1
  if (last && Number(last) < start) return null
  return start >= size ? 'none' : { start, end }
}

const matches = (header: string | undefined, tag: string) =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))

const open = async ({ storage, log }: Services, { store, id }: MediaRow, path: string, range?: ByteRange): Promise<Readable> => {
  try {
    const stream = await storage.of(store).get(path, range)
    if (stream) return stream
    log.error({ event: 'file_missing', media_id: id }, 'file missing from storage')
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    log.error({ event: 'file_read_failed', err: error }, 'failed to read a file')
    throw new ApiError('service_unavailable')
  }
  throw notFound()
}

const inTurn = createFairTurns<Owner>()

/**
 * Passes the bytes of a file on: one chunk per owner in each turn of the event loop, and exactly `size` bytes. A store that sends fewer would
 * leave the client waiting for the rest; the surplus of one that sends more would be read as the next response. Both end the connection.
 */
const paced = (stream: Readable, owner: Owner, size: number, reportMismatch: () => void): Readable => {
  let left = size
  const mismatch = () => {
    reportMismatch()
    return new StorageUnavailable('it sent another number of bytes than the file has')
  }
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      left -= chunk.length
      if (left < 0) done(mismatch())
      else inTurn(owner, () => done(null, chunk))
    },
    flush: (done) => done(left > 0 ? mismatch() : null),
  })
  return pipeline(stream, counted, () => {})
}

type DownloadRequest = FastifyRequest<{ Params: { key: string; '*'?: string } }>

/** Files under /media. Each request is authorized by the object that the file is attached to; a hidden file is reported as not found. */
export const serveFiles = (app: FastifyInstance, { services, authenticate }: PageTools) => {
  const find = async (request: DownloadRequest, reply: FastifyReply): Promise<MediaRow> => {
    const actor = await authenticate(request, reply, { open: true, ignoreCookie: false })
    const { key } = request.params
    const media = KEY.test(key) ? await mediaByKey(services.database.read, [key]) : undefined
    if (media && (await mediaAbilities({ db: services.database.read, actor, now: nowOf(services.clock) }, media)).view) return media
    if (!actor) throw new ApiError('rest_forbidden', { status: 401, message: 'Authentication is required.', challenge: false })
    throw notFound()
  }

  const announce = (reply: FastifyReply, media: MediaRow, type: string, tag: string) => {
    const open = media.object_source === 'profile' && media.status === 'active'
    reply
      .header('content-type', type)
      .header('content-disposition', disposition(media))
      .header('content-security-policy', POLICY)
      .header('cross-origin-resource-policy', open ? 'cross-origin' : 'same-origin')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', `${open ? 'public' : 'private'}, max-age=${RETENTION_S}`)
      .header('vary', 'authorization, cookie')
      .header('etag', tag)
  }

  const thumbnail = async (request: DownloadRequest, reply: FastifyReply) => {
    const media = await find(request, reply)
    if (!media.thumbnail_path) throw notFound()
    const tag = `"${media.key}-t"`
    const stream =
      request.method === 'HEAD' || matches(request.headers['if-none-match'], tag) ? null : await open(services, media, media.thumbnail_path)
    announce(reply, media, 'image/webp', tag)
    if (matches(request.headers['if-none-match'], tag)) return reply.code(304).send()
    return reply.send(stream)
  }

  const whole = async (request: DownloadRequest, reply: FastifyReply) => {
    const media = await find(request, reply)
    const { file_size: size, file_type, path, key } = media
    const tag = `"${key}"`
    const ifRange = request.headers['if-range']
    const wanted = ifRange === undefined || ifRange === tag ? readRange(request.headers.range, size) : null
    if (matches(request.headers['if-none-match'], tag)) {
      announce(reply, media, file_type, tag)
      return reply.code(304).send()
    }
    if (wanted === 'none') {
      reply.header('content-range', `bytes */${size}`)
      throw new ApiError('invalid_parameter', {
        status: 416,
        message: 'The requested range is outside of the file.',
        data: { field: 'Range' },
      })
    }
    const stream = request.method === 'HEAD' ? null : await open(services, media, path, wanted ?? undefined)
    announce(reply, media, file_type, tag)
    const length = wanted ? wanted.end - wanted.start + 1 : size
    reply.header('accept-ranges', 'bytes').header('content-length', String(length))
    if (wanted) reply.code(206).header('content-range', `bytes ${wanted.start}-${wanted.end}/${size}`)
    const reportMismatch = () =>
      services.log.error({ event: 'file_size_mismatch', media_id: media.id }, 'stored file size does not match its row')
    return reply.send(stream && paced(stream, ownerOf(request), length, reportMismatch))
  }

  app.route({ method: ['GET', 'HEAD'], url: '/media/:key/thumbnail/:name', exposeHeadRoute: false, handler: thumbnail as never })
  app.route({ method: ['GET', 'HEAD'], url: '/media/:key/:name', exposeHeadRoute: false, handler: whole as never })
}
