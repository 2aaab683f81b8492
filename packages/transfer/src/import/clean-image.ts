import { readFile } from 'node:fs/promises'
import { type ImageType, isImageType } from '../../../server/src/images/index.ts'
import type { InspectedFile } from '../../../server/src/modules/media/index.ts'

interface Size {
  readonly width: number
  readonly height: number
}

/** Parses an image file. Null if it differs from the output of Lyceum's converter. */
type ReadImage = (bytes: Buffer) => Size | null

const sizeOf = (width: number, height: number): Size => ({ width, height })

// Start of image, quantization and Huffman tables, restart interval; baseline frame; scan; end of image.
const TABLES = new Set([0xdb, 0xc4, 0xdd])
const [START, FRAME, SCAN, END] = [0xd8, 0xc0, 0xda, 0xd9]

/** End of a scan's compressed data: the next marker that is not part of it. */
const endOfScan = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0
    if (marker !== 0 && (marker < 0xd0 || marker > 0xd7)) return at
  }
  return bytes.length
}

const readJpeg: ReadImage = (bytes) => {
  if (bytes.readUInt16BE(0) !== 0xff00 + START) return null
  let size: Size | null = null
  for (let at = 2; ; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    if (marker !== FRAME && marker !== SCAN && !TABLES.has(marker)) return null
    const next = at + 2 + bytes.readUInt16BE(at + 2)
    if (marker === FRAME) size = sizeOf(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    at = next
    if (marker !== SCAN) continue
    const end = endOfScan(bytes, next)
    return end === bytes.length - 2 && bytes[end + 1] === END ? size : null
  }
}

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PNG_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'pHYs', 'IDAT', 'IEND'])

const readPng: ReadImage = (bytes) => {
  if (!bytes.subarray(0, 8).equals(PNG_START)) return null
  for (let at = 8; ; ) {
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (!PNG_CHUNKS.has(name)) return null
    at += 12 + bytes.readUInt32BE(at)
    if (name === 'IEND') return at === bytes.length ? sizeOf(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) : null
  }
}

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b]
const [CONTROL, APPLICATION] = [0xf9, 0xff]
/** The only application extension that the converter writes: the number of repetitions. */
const REPEATS = Buffer.from('\x0bNETSCAPE2.0\x03\x01', 'latin1')

const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

/** The end of a sequence of data blocks. */
const endOfBlocks = (bytes: Buffer, from: number): number => {
  let at = from
  while (bytes.readUInt8(at) !== 0) at += 1 + bytes.readUInt8(at)
  return at + 1
}

const readGif: ReadImage = (bytes) => {
  if (bytes.toString('latin1', 0, 6) !== 'GIF89a') return null
  for (let at = 13 + tableBytes(bytes.readUInt8(10)); ; ) {
    const kind = bytes.readUInt8(at)
    if (kind === TRAILER) return at === bytes.length - 1 ? sizeOf(bytes.readUInt16LE(6), bytes.readUInt16LE(8)) : null
    if (kind === IMAGE) at = endOfBlocks(bytes, at + 11 + tableBytes(bytes.readUInt8(at + 9)))
    else {
      const label = kind === EXTENSION ? bytes.readUInt8(at + 1) : 0
      const end = label === CONTROL || label === APPLICATION ? endOfBlocks(bytes, at + 2) : 0
      const isKnown =
        label === CONTROL ? end === at + 8 : end === at + 19 && bytes.subarray(at + 2, at + 2 + REPEATS.length).equals(REPEATS)
      if (end === 0 || !isKnown) return null
      at = end
    }
  }
}

const WEBP_CHUNKS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF'])
const FRAME_CHUNKS = new Set(['VP8 ', 'VP8L', 'ALPH'])
const FRAME_HEAD = 16

const readWebp: ReadImage = (bytes) => {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return null
  const areChunks = (from: number, end: number, known: ReadonlySet<string>): boolean => {
    let at = from
    while (at < end) {
      const name = bytes.toString('latin1', at, at + 4)
      const length = bytes.readUInt32LE(at + 4)
      if (!known.has(name)) return false
      if (name === 'ANMF' && !areChunks(at + 8 + FRAME_HEAD, at + 8 + length, FRAME_CHUNKS)) return false
      at += 8 + length + (length % 2)
    }
    return at === end
  }
  if (!areChunks(12, bytes.length, WEBP_CHUNKS)) return null
  const first = bytes.toString('latin1', 12, 16)
  if (first === 'VP8X') return sizeOf(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
  if (first === 'VP8 ') return sizeOf(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
  if (first !== 'VP8L') return null
  const packed = bytes.readUInt32LE(21)
  return sizeOf((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1)
}

const READERS: Readonly<Record<ImageType, ReadImage>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/gif': readGif,
  'image/webp': readWebp,
}

/**
 * Whether an image contains only pixels, in the converter's output format and within its size limits. Such an
 * image can be stored unchanged; encoding it again would degrade it each time. The caller must have decoded it.
 */
export const isCleanImage = (bytes: Buffer, type: ImageType, { width, height }: Size): boolean => {
  try {
    const size = READERS[type](bytes)
    return size !== null && size.width === width && size.height === height
  } catch (error) {
    // The file is truncated.
    if (error instanceof RangeError) return false
    throw error
  }
}

/**
 * Keeps the original file of an inspected image from an archive if it is clean, instead of the converted one. Moving a
 * community then changes no images.
 */
export const keepClean = async (inspected: InspectedFile): Promise<InspectedFile> => {
  const { type, file, made } = inspected
  const { width, height, files } = made
  const [whole, ...others] = files
  if (!whole || !isImageType(type) || width === null || height === null) return inspected
  const bytes = await readFile(file.path)
  if (!isCleanImage(bytes, type, { width, height })) return inspected
  return { ...inspected, made: { ...made, size: bytes.length, files: [{ ...whole, from: file.path }, ...others] } }
}
