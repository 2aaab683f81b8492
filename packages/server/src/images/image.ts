import { createSemaphore } from '../util/semaphore.ts'
import { type ConvertedImage, convert, type ImageType, inspectImage } from './convert.ts'
import { createConverter } from './converter.ts'

/** Limit of each step of a conversion. The child process has a low priority and may get little processor time. */
const SECONDS = { small: 30, large: 60 }
/** Images with at most this many pixels, all frames together, take a fraction of a second and are converted in this process. */
const SMALL_PIXELS = 2_000_000
/** Small images have a queue of their own, so that they never wait for large ones. */
const CONCURRENT = { small: 2, large: 1 }
/** More than the concurrent uploads of one member. */
const WAITING_PER_OWNER = 20

const queues = {
  small: createSemaphore<number>({ concurrent: CONCURRENT.small, perKey: 1, waitingPerKey: WAITING_PER_OWNER }),
  large: createSemaphore<number>({ concurrent: CONCURRENT.large, perKey: 1, waitingPerKey: WAITING_PER_OWNER }),
}
const converter = createConverter()

/** Number of images being converted and waiting, for the metrics. */
export const imageSlots = () => ({
  used: queues.small.running() + queues.large.running(),
  waiting: queues.small.waiting() + queues.large.waiting(),
})

/** Ends the process that converts large images; the next large image starts another one. */
export const closeImageConverter = (): Promise<void> => converter.close()

/**
 * Converts an uploaded image and writes a thumbnail, in the fair queue of its owner: small images in the thread pool, large ones in a child
 * process of low priority.
 * @throws BadImage, BusyError, StorageUnavailable if a file cannot be written
 */
export const convertImage = async (
  owner: number,
  file: string,
  type: ImageType,
  out: string,
  thumbnail: string,
): Promise<ConvertedImage> => {
  const { pixels, animated } = await inspectImage(file, type, SECONDS.small)
  const conversion = { file, type, animated, out, thumbnail }
  if (pixels <= SMALL_PIXELS) return queues.small.run(owner, () => convert({ ...conversion, seconds: SECONDS.small }))
  return queues.large.run(owner, () => converter.convert({ ...conversion, seconds: SECONDS.large }))
}
