import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, tooMany } from '../../core/errors.ts'
import { networkOf } from '../../limits/ip-prefix.ts'

/** A member by id, or the network address of an anonymous client. */
export type Owner = number | string

export const ownerOf = ({ actor, ip }: FastifyRequest): Owner => actor?.id ?? networkOf(ip)

interface UnsentOptions {
  /** Maximum number of unread response bytes, per owner and in total. */
  readonly perOwner: number
  readonly total: number
  /** Milliseconds. */
  readonly now?: () => number
}

/** The unread part of a response. */
export interface UnsentReservation {
  /** Sets the number of unread bytes. */
  resize(bytes: number, shared?: Buffer): void
  /** Records that the client has read some. */
  moved(): void
}

interface Held extends UnsentReservation {
  readonly response: ServerResponse
  readonly owner: Owner
  bytes: number
  shared: Buffer | undefined
  movedAt: number
}

interface Account {
  bytes: number
  readonly held: Set<Held>
}

/** A client that has read nothing for this time is slow. While memory is scarce, its connection is closed. */
const STALLED_MS = 3000
/** Above this share of the total, memory is scarce. */
const SCARCE = 0.5
const LOOK_MS = 500
/** Value of Retry-After in seconds. */
const RETRY_AFTER = 2

const overall = () => new ApiError('service_unavailable', { data: { retry_after: RETRY_AFTER } })

/**
 * Counts the response bytes that clients have not read, per owner and in total, and limits them. A buffer that several responses share
 * counts once in the total. Only bytes that the system does not accept immediately are counted, so most responses never get here.
 */
export const createUnsent = ({ perOwner, total, now = () => performance.now() }: UnsentOptions) => {
  const accounts = new Map<Owner, Account>()
  const sharers = new Map<Buffer, number>()
  const figures = { bytes: 0, cut: 0, refused: 0 }
  let timer: NodeJS.Timeout | null = null
  let lookedAt = Number.NEGATIVE_INFINITY

  /** Change of the total by this holding. */
  const count = ({ bytes, shared }: Held, by: 1 | -1) => {
    if (!shared) {
      figures.bytes += by * bytes
      return
    }
    const sharing = (sharers.get(shared) ?? 0) + by
    if (sharing > 0) sharers.set(shared, sharing)
    else sharers.delete(shared)
    if (sharing === (by === 1 ? 1 : 0)) figures.bytes += by * shared.length
  }

  const cut = (held: Held) => {
    figures.cut += 1
    const { response } = held
    release(held)
    const { socket } = response
    if (socket) socket.resetAndDestroy()
    else response.destroy()
  }

  const stalled = (held: Iterable<Held>): Held[] => {
    const before = now() - STALLED_MS
    return [...held].filter(({ movedAt, bytes }) => bytes > 0 && movedAt <= before)
  }

  const heaviestFirst = (): Held[] =>
    [...accounts.values()].sort((a, b) => b.bytes - a.bytes).flatMap(({ held }) => stalled(held).sort((a, b) => a.movedAt - b.movedAt))

  /** Closes slow connections of one owner, or of the owners with the most unread bytes, until there is enough room. */
  const cutUntil = (candidates: readonly Held[], enough: () => boolean) => {
    for (const held of candidates) {
      if (enough()) return
      cut(held)
    }
  }

  const look = () => {
    lookedAt = now()
    if (figures.bytes > total * SCARCE) cutUntil(heaviestFirst(), () => figures.bytes <= total * SCARCE)
    if (figures.bytes > 0 || !timer) return
    clearInterval(timer)
    timer = null
  }

  const watch = () => {
    if (timer || figures.bytes === 0) return
    timer = setInterval(look, LOOK_MS)
    timer.unref()
  }

  const release = (held: Held) => {
    const account = accounts.get(held.owner)
    if (!account?.held.delete(held)) return
    account.bytes -= held.bytes
    count(held, -1)
    if (account.held.size === 0) accounts.delete(held.owner)
  }

  /**
   * Makes sure that there is room for this many bytes, and closes slow connections if necessary. An owner without unread bytes may have one
   * response above the limit, and so may the whole server.
   * @throws 429, 503
   */
  const checkRoom = (owner: Owner, bytes: number, shared?: Buffer) => {
    const account = accounts.get(owner)
    if (account && account.bytes + bytes > perOwner) {
      cutUntil(stalled(account.held), () => account.bytes + bytes <= perOwner)
      if (account.bytes > 0 && account.bytes + bytes > perOwner) {
        figures.refused += 1
        throw tooMany(RETRY_AFTER)
      }
    }
    if (figures.bytes + bytes <= total || (shared && sharers.has(shared))) return
    if (now() - lookedAt >= LOOK_MS) look()
    if (figures.bytes === 0 || figures.bytes + bytes <= total) return
    figures.refused += 1
    throw overall()
  }

  return {
    checkRoom,

    /** Refuses owners with too many unread bytes; owners without any are never refused. @throws 429, 503 */
    admit: (owner: Owner): void => {
      if (figures.bytes === 0) return
      const account = accounts.get(owner)
      if (!account) return
      if (account.bytes >= perOwner || figures.bytes >= total) checkRoom(owner, 1)
    },

    /** Counts a response until it is sent or closed. `shared` is the buffer that it is part of, counted once in the total. */
    hold: (owner: Owner, response: ServerResponse, bytes: number, shared?: Buffer): UnsentReservation => {
      const account = accounts.get(owner) ?? { bytes: 0, held: new Set<Held>() }
      accounts.set(owner, account)
      const held: Held = {
        owner,
        response,
        bytes,
        shared,
        movedAt: now(),
        resize: (size, buffer) => {
          if ((size === 0 && held.bytes === 0) || !account.held.has(held)) return
          // A holding that only grows is not being read.
          if (size <= held.bytes || held.bytes === 0) held.movedAt = now()
          count(held, -1)
          account.bytes += size - held.bytes
          held.bytes = size
          held.shared = buffer
          count(held, 1)
          watch()
        },
        moved: () => {
          held.movedAt = now()
        },
      }
      account.held.add(held)
      account.bytes += bytes
      count(held, 1)
      response.once('close', () => release(held))
      watch()
      return held
    },

    /** Current bytes, and the connections closed and requests refused so far. */
    figures: (): Readonly<typeof figures> => figures,
    close: () => {
      if (timer) clearInterval(timer)
      timer = null
    },
  }
}

export type Unsent = ReturnType<typeof createUnsent>

/** Responses through Fastify up to this size are not counted. */
const SMALL = 64 * 1024
/** Bytes counted for a stream, and for a response from a buffer that is cached. */
const STREAMED = 128 * 1024
const SHARE = 16 * 1024

/** Counts responses that are not sent by `sendResponse`: files, archives, documents. */
export const followPayload = (unsent: Unsent, request: FastifyRequest, { raw }: FastifyReply, payload: unknown): void => {
  if (request.method === 'HEAD') return
  if (payload instanceof Readable) {
    const length = Number(raw.getHeader('content-length') ?? STREAMED)
    if (length <= SMALL) return
    const holding = unsent.hold(ownerOf(request), raw, Math.min(length, STREAMED))
    raw.on('drain', () => holding.moved())
  } else if (Buffer.isBuffer(payload) && payload.length > SMALL) unsent.hold(ownerOf(request), raw, SHARE, payload)
  else if (typeof payload === 'string' && payload.length > SMALL) unsent.hold(ownerOf(request), raw, payload.length)
}
