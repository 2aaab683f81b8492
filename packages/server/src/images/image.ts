import { availableParallelism } from 'node:os'
import type { Metadata, Sharp, default as SharpLibrary } from 'sharp'
import { BusyError } from '../secrets/semaphore.ts'
import { StorageUnavailable } from '../storage/index.ts'
import { createFairSemaphore } from '../util/fair-semaphore.ts'
import { lazy, library } from '../util/lazy.ts'

/** Most pixels that an image may unfold to, all frames together: what a decompression bomb costs at most. */
const MOST_PIXELS = 40_000_000
const MOST_FRAMES = 300
/** Longest edge of what is kept, and of its thumbnail. */
const LONGEST_EDGE = 4096
const THUMBNAIL = 400
const SECONDS = 30
/** Up to so many pixels, all frames together, an image is small: it takes a fraction of a second. */
const SMALL_PIXELS = 2_000_000
/**
 * Images processed at once. Small ones have places of their own, so that they never wait for large ones; large ones leave a processor core
 * to the rest of the server where there is more than one.
 */
const SMALL_AT_ONCE = 2
const LARGE_AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1))
/** More than the uploads of one member that are in progress at once. */
const WAITING_PER_OWNER = 20

const places = {
  small: createFairSemaphore<number>({ concurrent: SMALL_AT_ONCE, perOwner: 1, waitingPerOwner: WAITING_PER_OWNER }),
  large: createFairSemaphore<number>({ concurrent: LARGE_AT_ONCE, perOwner: 1, waitingPerOwner: WAITING_PER_OWNER }),
}

/** Images in process and waiting, for the metrics. */
export const imageSlots = () => ({
  used: places.small.running() + places.large.running(),
  waiting: places.small.waiting() + places.large.waiting(),
})

const load = library<typeof SharpLibrary>('sharp')
const sharp = lazy(() => {
  const found = load()
  found.cache(false)
  found.concurrency(1)
  // Whatever libvips could read beside these (SVG, PDF, TIFF, files that name other files) is not read, however it is dressed up.
  found.block({ operation: ['VipsForeignLoad'] })
  found.unblock({
    operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile', 'VipsForeignLoadNsgifFile'],
  })
  return found
})

const FORMATS = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp' } as const
export type ImageType = keyof typeof FORMATS

export const isImageType = (type: string): type is ImageType => Object.hasOwn(FORMATS, type)

/** It is no image, is broken, or is larger than an image may be. */
export class BadImage extends Error {
  override readonly name = 'BadImage'
}

export interface MadeImage {
  readonly width: number
  readonly height: number
}

const encode = (image: Sharp, type: ImageType): Sharp => {
  if (type === 'image/jpeg') return image.jpeg({ quality: 85 })
  if (type === 'image/png') return image.png({ compressionLevel: 8 })
  if (type === 'image/gif') return image.gif({ effort: 4 })
  return image.webp({ quality: 85, effort: 3 })
}

const open = (file: string, animated: boolean) =>
  sharp()(file, { failOn: 'error', limitInputPixels: MOST_PIXELS, animated, sequentialRead: true }).timeout({ seconds: SECONDS })

/** How many pixels an image unfolds to, all frames together, and whether it is animated. @throws BadImage when it has too many */
const check = ({ format, width, height, pages = 1 }: Metadata, type: ImageType) => {
  if (format !== FORMATS[type]) throw new BadImage('The content is not what it begins like.')
  const pixels = width * height * pages
  if (pixels > MOST_PIXELS || pages > MOST_FRAMES) throw new BadImage('The image has too many pixels.')
  return { pixels, moves: pages > 1 }
}

/** What libvips was refused by the operating system is not the image's fault. */
const failureOf = (error: unknown): Error => {
  const [, refused] = /(?:system|unix) error: (.*)/.exec((error as Error).message) ?? []
  if (refused === undefined) return new BadImage('The image cannot be read.', { cause: error })
  return new StorageUnavailable(error, /No space left|quota|File too large/.test(refused))
}

/**
 * Makes of an uploaded image what is kept: upright, without what a camera wrote into it, decoded and encoded anew in its own format,
 * moving if it moves, no edge longer than 4096 pixels; and a thumbnail as WebP. All of it off the main thread, in the owner's turn.
 * @throws BadImage, BusyError, StorageUnavailable where it cannot be written
 */
export const makeImage = async (owner: number, file: string, type: ImageType, out: string, thumbnail: string): Promise<MadeImage> => {
  try {
    const { pixels, moves } = check(await open(file, false).metadata(), type)
    const gate = pixels > SMALL_PIXELS ? places.large : places.small
    return await gate.run(owner, async () => {
      const whole = { width: LONGEST_EDGE, height: LONGEST_EDGE, fit: 'inside', withoutEnlargement: true } as const
      const made = await encode(open(file, moves).autoOrient().resize(whole), type).toFile(out)
      const small = { width: THUMBNAIL, height: THUMBNAIL, fit: 'inside', withoutEnlargement: true } as const
      await open(file, false).autoOrient().resize(small).webp({ quality: 78, effort: 2 }).toFile(thumbnail)
      return { width: made.width, height: made.pageHeight ?? made.height }
    })
  } catch (error) {
    throw error instanceof BadImage || error instanceof BusyError ? error : failureOf(error)
  }
}
