import { lazy } from '@lyceum/content/lazy'
import type { Metadata, Sharp, default as SharpLibrary } from 'sharp'
import { StorageUnavailable } from '../storage/object-storage.ts'
import { lazyRequire } from '../util/lazy.ts'
import { BadImage } from './errors.ts'

/** Pixels of an image, all frames together. This bounds the memory that a decompression bomb can take. */
const MAX_PIXELS = 40_000_000
const MAX_FRAMES = 300
/** Longest edge of the stored image and of its thumbnail, in pixels. */
const LONGEST_EDGE = 4096
const THUMBNAIL_EDGE = 400

const load = lazyRequire<typeof SharpLibrary>('sharp')
const sharp = lazy(() => {
  const loaded = load()
  loaded.cache(false)
  loaded.concurrency(1)
  // libvips also reads SVG, PDF, TIFF and formats that refer to other files. Only the loaders of the four accepted formats are allowed.
  loaded.block({ operation: ['VipsForeignLoad'] })
  loaded.unblock({
    operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile', 'VipsForeignLoadNsgifFile'],
  })
  return loaded
})

const FORMATS = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp' } as const
export type ImageType = keyof typeof FORMATS

export const isImageType = (type: string): type is ImageType => Object.hasOwn(FORMATS, type)

export interface Conversion {
  readonly file: string
  readonly type: ImageType
  readonly animated: boolean
  /** Paths of the converted image and of its thumbnail. */
  readonly out: string
  readonly thumbnail: string
  /** Limit of each of the two steps. */
  readonly seconds: number
}

export interface ConvertedImage {
  readonly width: number
  readonly height: number
}

const encode = (image: Sharp, type: ImageType): Sharp => {
  if (type === 'image/jpeg') return image.jpeg({ quality: 85 })
  if (type === 'image/png') return image.png({ compressionLevel: 8 })
  if (type === 'image/gif') return image.gif({ effort: 4 })
  return image.webp({ quality: 85, effort: 3 })
}

const open = (file: string, animated: boolean, seconds: number) =>
  sharp()(file, { failOn: 'error', limitInputPixels: MAX_PIXELS, animated, sequentialRead: true }).timeout({ seconds })

const fitInside = (edge: number) => ({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true }) as const

/** Errors of the operating system that libvips reports are not the fault of the image. */
const failureOf = (error: unknown): Error => {
  if (error instanceof BadImage) return error
  const [, reason] = /(?:system|unix) error: (.*)/.exec((error as Error).message) ?? []
  if (reason === undefined) return new BadImage('The image cannot be read.', { cause: error })
  return new StorageUnavailable(error, /No space left|quota|File too large/.test(reason))
}

const check = ({ format, width, height, pages = 1 }: Metadata, type: ImageType) => {
  if (format !== FORMATS[type]) throw new BadImage('The content is not what it begins like.')
  const pixels = width * height * pages
  if (pixels > MAX_PIXELS || pages > MAX_FRAMES) throw new BadImage('The image has too many pixels.')
  return { pixels, animated: pages > 1 }
}

/**
 * Reads only the header of an image: its number of pixels, all frames together, and whether it is animated.
 * @throws BadImage, StorageUnavailable
 */
export const inspectImage = async (file: string, type: ImageType, seconds: number) => {
  try {
    return check(await open(file, false, seconds).metadata(), type)
  } catch (error) {
    throw failureOf(error)
  }
}

/**
 * Decodes an image and encodes it again in its format: upright, without metadata, animated if it was, no edge longer than 4096 pixels. Writes
 * the result and a thumbnail in WebP.
 * @throws BadImage, StorageUnavailable if a file cannot be written
 */
export const convert = async ({ file, type, animated, out, thumbnail, seconds }: Conversion): Promise<ConvertedImage> => {
  try {
    const written = await encode(open(file, animated, seconds).autoOrient().resize(fitInside(LONGEST_EDGE)), type).toFile(out)
    const small = open(file, false, seconds).autoOrient().resize(fitInside(THUMBNAIL_EDGE))
    await small.webp({ quality: 78, effort: 2 }).toFile(thumbnail)
    return { width: written.width, height: written.pageHeight ?? written.height }
  } catch (error) {
    throw failureOf(error)
  }
}
