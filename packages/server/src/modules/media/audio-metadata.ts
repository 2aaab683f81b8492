import { open } from 'node:fs/promises'
import { BadImage } from '../../images/index.ts'
import { type OpenFile, readAt, zero } from './video-metadata.ts'

const unreadable = () => new BadImage('The audio file cannot be read.')
const textOf = (bytes: Buffer, from = 0, length = bytes.length) => bytes.toString('latin1', from, from + length)

// ---- MP3 ---------------------------------------------------------------------------------------------------

/** Kilobits per second of layer III by index, for MPEG-1 and for the later versions. */
const KBITS = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
const HERTZ = [44_100, 48_000, 32_000] as const
/** Fraction of that sampling rate by version: MPEG-2.5, reserved, MPEG-2, MPEG-1. */
const DIVISORS = [4, 0, 2, 1] as const
/** The first frames must follow each other, so that text with a frame in it is not taken for audio. */
const FRAMES = 3
const MAX_TAGS = 10
const MAX_PADDING = 64 * 1024

/** Length of the frame with this header; 0 if it is no frame of layer III. */
const frameLength = (header: Buffer): number => {
  if (header.length < 4) return 0
  const word = header.readUInt32BE(0)
  const divisor = DIVISORS[(word >>> 19) & 3] ?? 0
  const kbits = KBITS[divisor === 1 ? 0 : 1][(word >>> 12) & 15]
  const hertz = HERTZ[(word >>> 10) & 3]
  if (word >>> 21 !== 0x7ff || ((word >>> 17) & 3) !== 1 || !divisor || !kbits || !hertz) return 0
  return Math.floor(((divisor === 1 ? 144_000 : 72_000) * kbits * divisor) / hertz) + ((word >>> 9) & 1)
}

/** Empties the ID3v2 tags at the start; returns where they end. */
const emptyFirstTags = async (audio: OpenFile): Promise<number> => {
  let at = 0
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const head = await readAt(audio, at, 10)
    if (head.length < 10 || textOf(head, 0, 3) !== 'ID3') break
    const size = head.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 127), 0)
    const end = at + 10 + size + (head[5]! & 0x10 ? 10 : 0)
    await audio.file.write(Buffer.alloc(1), 0, 1, at + 5)
    await zero(audio, [at + 10, end])
    at = end
  }
  return at
}

/** Where the ID3v1 or APE tag starts that ends here. */
const lastTag = async (audio: OpenFile, end: number): Promise<number> => {
  const tail = await readAt(audio, Math.max(0, end - 128), Math.min(128, end))
  if (tail.length === 128 && textOf(tail, 0, 3) === 'TAG') return end - 128
  const foot = tail.subarray(-32)
  if (foot.length < 32 || textOf(foot, 0, 8) !== 'APETAGEX') return end
  return Math.max(0, end - foot.readUInt32LE(12) - (foot.readUInt32LE(20) >>> 31) * 32)
}

const stripMp3 = async (audio: OpenFile): Promise<void> => {
  const first = await emptyFirstTags(audio)
  const padding = (await readAt(audio, first, MAX_PADDING)).findIndex((byte) => byte !== 0)
  let at = first + Math.max(0, padding)
  for (let n = 0; n < FRAMES; n++) {
    const length = frameLength(await readAt(audio, at, 4))
    if (length === 0) throw unreadable()
    at += length
  }
  let end = audio.size
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const start = Math.max(at, await lastTag(audio, end))
    if (start >= end) break
    await zero(audio, [start, end])
    end = start
  }
}

// ---- WAV ---------------------------------------------------------------------------------------------------

/** Chunks that players need. Others contain titles, places, serial numbers and comments. */
const CHUNKS = new Set(['fmt ', 'data', 'fact', 'cue ', 'smpl'])
const MAX_CHUNKS = 1000

const stripWav = async (audio: OpenFile): Promise<void> => {
  const found = new Set<string>()
  let at = 12
  for (let chunks = 0; at < audio.size; chunks++) {
    if (chunks === MAX_CHUNKS) throw unreadable()
    const head = await readAt(audio, at, 8)
    const id = textOf(head, 0, 4)
    if (head.length < 8 || !/^[\x20-\x7e]{4}$/.test(id)) {
      await zero(audio, [at, audio.size])
      break
    }
    found.add(id)
    const size = head.readUInt32LE(4)
    // Recorders that stream do not know the length of the sound.
    const end = id === 'data' && size === 0 ? audio.size : at + 8 + size + (size % 2)
    if (!CHUNKS.has(id)) {
      await audio.file.write('JUNK', at, 'latin1')
      await zero(audio, [at + 8, end])
    }
    at = end
  }
  if (!found.has('fmt ') || !found.has('data')) throw unreadable()
}

// ---- Ogg ---------------------------------------------------------------------------------------------------

/** Start of the identification and of the comments, by codec, and what follows an empty list of comments. */
const CODECS = [
  { first: '\x01vorbis', comments: '\x03vorbis', end: '\x01' },
  { first: 'OpusHead', comments: 'OpusTags', end: '' },
] as const
const PAGE_HEADER = 27
const MAX_PAGE = PAGE_HEADER + 255 + 255 * 255
/** Most pages of comments, which can contain pictures. */
const MAX_PAGES = 500

const CRC = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c1_1db7 : 0)
  return value
})
const checksum = (page: Buffer) => page.reduce((sum, byte) => (sum << 8) ^ CRC[(sum >>> 24) ^ byte]!, 0) >>> 0

const pageAt = async (audio: OpenFile, at: number) => {
  const bytes = await readAt(audio, at, MAX_PAGE)
  const body = PAGE_HEADER + (bytes[26] ?? 0)
  const sizes = bytes.subarray(PAGE_HEADER, body)
  const end = body + sizes.reduce((sum, size) => sum + size, 0)
  if (textOf(bytes, 0, 4) !== 'OggS' || bytes.length < end) throw unreadable()
  const last = sizes.findIndex((size) => size < 255)
  const ofPacket = sizes.subarray(0, last < 0 ? sizes.length : last + 1).reduce((sum, size) => sum + size, 0)
  return { bytes: bytes.subarray(0, end), body, ofPacket, ends: last >= 0, serial: textOf(bytes, 14, 4) }
}

/** Replaces the comments, the second packet, by an empty list and padding. Files of several streams would have more of them. */
const stripOgg = async (audio: OpenFile): Promise<void> => {
  const head = await pageAt(audio, 0)
  const codec = CODECS.find(({ first }) => textOf(head.bytes, head.body, first.length) === first)
  const tail = await readAt(audio, Math.max(0, audio.size - MAX_PAGE), MAX_PAGE)
  const lastPage = tail.lastIndexOf('OggS')
  if (!codec || lastPage < 0 || textOf(tail, lastPage + 14, 4) !== head.serial) throw unreadable()
  let content = Buffer.from(`${codec.comments}${'\0'.repeat(8)}${codec.end}`, 'latin1')
  let at = head.bytes.length
  for (let pages = 0; ; pages++) {
    const { bytes, body, ofPacket, ends, serial } = await pageAt(audio, at)
    const isOther = pages === 0 && textOf(bytes, body, codec.comments.length) !== codec.comments
    if (isOther || serial !== head.serial || pages === MAX_PAGES) throw unreadable()
    bytes.fill(0, body, body + ofPacket)
    content.copy(bytes, body, 0, ofPacket)
    content = content.subarray(ofPacket)
    bytes.writeUInt32LE(0, 22)
    bytes.writeUInt32LE(checksum(bytes), 22)
    await audio.file.write(bytes, 0, bytes.length, at)
    at += bytes.length
    if (ends) break
  }
  if (content.length > 0) throw unreadable()
}

const STRIP = { 'audio/mpeg': stripMp3, 'audio/ogg': stripOgg, 'audio/wav': stripWav } as const

/**
 * Removes tags from an audio file in place, such as names, places and comments. Its length does not change.
 * @throws BadImage if it is not of this type
 */
export const stripAudio = async (path: string, type: keyof typeof STRIP): Promise<void> => {
  const file = await open(path, 'r+')
  try {
    await STRIP[type]({ file, size: (await file.stat()).size })
  } finally {
    await file.close()
  }
}
