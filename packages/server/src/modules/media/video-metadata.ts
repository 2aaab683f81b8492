import { type FileHandle, open } from 'node:fs/promises'
import { BadImage } from '../../images/index.ts'

/** A box of an MP4 file (ISO 14496-12): its type and the offsets of its start, content and end. */
interface Box {
  readonly type: string
  readonly start: number
  readonly body: number
  readonly end: number
}
export interface OpenFile {
  readonly file: FileHandle
  readonly size: number
}
interface Movie extends OpenFile {
  /** Number of boxes read, limited against crafted files. */
  boxes: number
  /** Sample chunks to be removed, and their bytes, over all tracks. */
  chunks: number
  bytes: number
}
type Range = readonly [from: number, to: number]

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Boxes that players need. Everything else is metadata (`udta`, `meta`, `uuid`, padding, vendor boxes) and may contain the location. */
const REQUIRED_BOXES = {
  file: words('ftyp styp moov mdat moof mfra sidx ssix prft pdin emsg pssh'),
  moov: words('mvhd trak mvex iods pssh'),
  trak: words('tkhd tref edts mdia tapt trgr'),
}
const METADATA = words('udta meta uuid free skip')
/** Video, audio and time code tracks; others may hold camera positions or subtitles in which drones record them. */
const TRACKS = words('vide soun tmcd')

const MAX_BOXES = 20_000
/** Each chunk is a write. Cameras record a position about once a second. */
const MAX_CHUNKS = 20_000
const MAX_TABLE_BYTES = 2 ** 20
const HEADER = 16
const ZEROS = Buffer.alloc(64 * 1024)
const TYPE = /^[\x20-\x7e\xa9]{4}$/

const unreadable = () => new BadImage('The video cannot be read.')

export const readAt = async ({ file }: OpenFile, at: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

/** The box at an offset; null if there is none. A truncated box ends with its parent. */
const boxAt = async (movie: Movie, start: number, limit: number): Promise<Box | null> => {
  const header = await readAt(movie, start, Math.min(HEADER, limit - start))
  if (header.length < 8) return null
  movie.boxes += 1
  if (movie.boxes > MAX_BOXES) throw unreadable()
  const type = header.toString('latin1', 4, 8)
  const short = header.readUInt32BE(0)
  if (!TYPE.test(type) || (short === 1 && header.length < HEADER)) return null
  const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? limit - start : short
  const body = start + (short === 1 ? HEADER : 8)
  return start + size < body ? null : { type, start, body, end: Math.min(start + size, limit) }
}

const boxesIn = async (movie: Movie, { body, end }: Pick<Box, 'body' | 'end'>): Promise<Box[]> => {
  const found: Box[] = []
  for (let at = body; at < end; ) {
    const box = await boxAt(movie, at, end)
    if (!box) break
    found.push(box)
    at = box.end
  }
  return found
}

const inside = async (movie: Movie, box: Box, ...path: readonly string[]): Promise<Box | undefined> => {
  let found: Box | undefined = box
  for (const type of path) found = found && (await boxesIn(movie, found)).find((each) => each.type === type)
  return found
}

export const zero = async ({ file, size }: OpenFile, [from, to]: Range): Promise<void> => {
  for (let at = from; at < Math.min(to, size); at += ZEROS.length)
    await file.write(ZEROS, 0, Math.min(ZEROS.length, to - at, size - at), at)
}

/** Turns a box into padding, so that no other offsets change. */
const blank = async (movie: Movie, { start, body, end }: Box): Promise<void> => {
  await movie.file.write('free', start + 4, 'latin1')
  await zero(movie, [body, end])
}

const tableOf = async (movie: Movie, box: Box | undefined): Promise<Buffer> => {
  if (!box) return Buffer.alloc(0)
  if (box.end - box.body > MAX_TABLE_BYTES) throw unreadable()
  return readAt(movie, box.body, box.end - box.body)
}

const numberAt = (table: Buffer, at: number): number => (at + 4 <= table.length ? table.readUInt32BE(at) : 0)
const entries = (table: Buffer, start: number, width: number): number => Math.max(0, Math.floor((table.length - start) / width))

/** Byte ranges of a track's samples. */
const samplesOf = async (movie: Movie, trak: Box): Promise<Range[]> => {
  const stbl = await inside(movie, trak, 'mdia', 'minf', 'stbl')
  const boxes = stbl ? await boxesIn(movie, stbl) : []
  const table = (type: string) =>
    tableOf(
      movie,
      boxes.find((box) => box.type === type),
    )
  const [sizes, runs, short, long] = [await table('stsz'), await table('stsc'), await table('stco'), await table('co64')]
  const uniform = numberAt(sizes, 4)
  const known = entries(sizes, 12, 4)
  const wide = short.length === 0
  const chunks = wide ? entries(long, 8, 8) : entries(short, 8, 4)
  movie.chunks += chunks
  if (movie.chunks > MAX_CHUNKS) throw unreadable()
  let [sample, run] = [0, 0]
  return Array.from({ length: chunks }, (_, chunk) => {
    while (run + 1 < entries(runs, 8, 12) && numberAt(runs, 8 + (run + 1) * 12) <= chunk + 1) run += 1
    const count = numberAt(runs, 12 + run * 12)
    let bytes = uniform * count
    if (uniform === 0) for (const last = Math.min(sample + count, known); sample < last; sample++) bytes += numberAt(sizes, 12 + sample * 4)
    movie.bytes += bytes
    if (movie.bytes > movie.size) throw unreadable()
    const from = wide ? Number(long.readBigUInt64BE(8 + chunk * 8)) : numberAt(short, 8 + chunk * 4)
    return [from, from + bytes]
  })
}

const cleanTrack = async (movie: Movie, trak: Box): Promise<void> => {
  const handler = await inside(movie, trak, 'mdia', 'hdlr')
  const type = handler ? (await readAt(movie, handler.body + 8, 4)).toString('latin1') : ''
  if (!TRACKS.has(type)) {
    for (const range of await samplesOf(movie, trak)) await zero(movie, range)
    return blank(movie, trak)
  }
  for (const box of await boxesIn(movie, trak)) if (!REQUIRED_BOXES.trak.has(box.type)) await blank(movie, box)
}

const cleanFragment = async (movie: Movie, fragment: Box): Promise<void> => {
  for (const box of await boxesIn(movie, fragment)) {
    if (METADATA.has(box.type)) await blank(movie, box)
    else if (box.type === 'traf') await cleanFragment(movie, box)
  }
}

/**
 * Removes location and device metadata from an MP4 file in place. Its length does not change.
 * @throws BadImage if the structure of the file would take too long to process
 */
export const stripMovie = async (path: string): Promise<void> => {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const movie: Movie = { file, size, boxes: 0, chunks: 0, bytes: 0 }
    for (const box of await boxesIn(movie, { body: 0, end: size })) {
      if (!REQUIRED_BOXES.file.has(box.type)) await blank(movie, box)
      else if (box.type === 'moof') await cleanFragment(movie, box)
      else if (box.type === 'moov')
        for (const part of await boxesIn(movie, box)) {
          if (part.type === 'trak') await cleanTrack(movie, part)
          else if (!REQUIRED_BOXES.moov.has(part.type)) await blank(movie, part)
        }
    }
  } finally {
    await file.close()
  }
}
