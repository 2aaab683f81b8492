import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesTag } from './send-response.ts'

/** Content that is sent often and never changes while the server runs: cached compressed, with its hash as the entity tag. */
interface CompressedAsset {
  readonly type: string
  readonly bytes: Buffer
  readonly etag: string
}

export const compressAsset = async (type: string, text: string | Buffer): Promise<CompressedAsset> => ({
  type,
  bytes: await promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }),
  etag: `"${hash('sha256', text, 'base64url').slice(0, 22)}"`,
})

/** Creates a value on first use, once; a failure is not cached. */
export const lazily = (make: () => Promise<CompressedAsset>): (() => Promise<CompressedAsset>) => {
  let made: Promise<CompressedAsset> | null = null
  return () => {
    made ??= make().catch((error) => {
      made = null
      throw error
    })
    return made
  }
}

/** The uncompressed bytes while a client is reading them. Otherwise, each slow client would hold a copy. */
const plain = new WeakMap<CompressedAsset, WeakRef<Buffer>>()
const unpacking = new WeakMap<CompressedAsset, Promise<Buffer>>()

const unpack = (zipped: CompressedAsset): Promise<Buffer> | Buffer => {
  const there = plain.get(zipped)?.deref() ?? unpacking.get(zipped)
  if (there) return there
  const making = promisify(gunzip)(zipped.bytes)
    .then((bytes) => {
      plain.set(zipped, new WeakRef(bytes))
      return bytes
    })
    .finally(() => unpacking.delete(zipped))
  unpacking.set(zipped, making)
  return making
}

/** Streams the asset, or responds with 304. */
export const sendCompressedAsset = async (request: FastifyRequest, reply: FastifyReply, zipped: CompressedAsset) => {
  const { type, bytes, etag } = zipped
  reply.header('etag', etag).header('vary', 'accept-encoding')
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  reply.type(type)
  if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.header('content-encoding', 'gzip').send(bytes)
  return reply.send(await unpack(zipped))
}
