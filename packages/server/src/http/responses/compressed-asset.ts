import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesTag } from './etag.ts'

/** What is sent often and never changes while the server runs: kept compressed, known by its hash. */
export interface Zipped {
  readonly type: string
  readonly bytes: Buffer
  readonly etag: string
}

export const zip = async (type: string, text: string | Buffer): Promise<Zipped> => ({
  type,
  bytes: await promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }),
  etag: `"${hash('sha256', text, 'base64url').slice(0, 22)}"`,
})

/** Makes it when it is first wanted, once; a failure is forgotten. */
export const lazily = (make: () => Promise<Zipped>): (() => Promise<Zipped>) => {
  let made: Promise<Zipped> | null = null
  return () => {
    made ??= make().catch((error) => {
      made = null
      throw error
    })
    return made
  }
}

/** The plain bytes, while somebody is still being sent them: clients that do not read on would each hold bytes of their own otherwise. */
const plain = new WeakMap<Zipped, WeakRef<Buffer>>()
const unpacking = new WeakMap<Zipped, Promise<Buffer>>()

const unpack = (zipped: Zipped): Promise<Buffer> | Buffer => {
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

/** Sends it as the client takes it, or says that what the client has is still right. */
export const sendZipped = async (request: FastifyRequest, reply: FastifyReply, zipped: Zipped) => {
  const { type, bytes, etag } = zipped
  reply.header('etag', etag).header('vary', 'accept-encoding')
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  reply.type(type)
  if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.header('content-encoding', 'gzip').send(bytes)
  return reply.send(await unpack(zipped))
}
