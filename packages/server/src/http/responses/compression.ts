import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createSemaphore } from '../../util/semaphore.ts'

export type Encoding = 'br' | 'gzip'

/** The compressed forms of a cached response. */
export type Packed = Partial<Record<Encoding, Promise<Buffer>>>

/** Smaller responses fit into one or two packets. */
const WORTH_PACKING = 1400

/** Fast settings: most responses are sent once. */
const GZIP = { level: 4 }
const QUALITY = 4

/** Weights of the names in a header such as `Accept-Encoding`; the first of equal names counts. */
export const weightsOf = (header: string): Map<string, number> => {
  const found = new Map<string, number>()
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const q = parameters.find((text) => text.startsWith('q='))
    const weight = q === undefined ? 1 : Number(q.slice(2))
    if (name && !found.has(name)) found.set(name, weight >= 0 && weight <= 1 ? weight : 0)
  }
  return found
}

const choose = (header: string): Encoding | null => {
  const found = weightsOf(header)
  const any = found.get('*') ?? 0
  const br = found.get('br') ?? any
  const zip = found.get('gzip') ?? found.get('x-gzip') ?? any
  const best = Math.max(br, zip)
  // Sent uncompressed unless a coding has at least the same weight.
  if (best === 0 || (found.get('identity') ?? 0) > best) return null
  return br >= zip ? 'br' : 'gzip'
}

const MOST_KNOWN = 200
const LONGEST_KNOWN = 100
const known = new Map<string, Encoding | null>()

/** The coding for a response of this size; null means uncompressed. */
export const encodingFor = (header: string | undefined, bytes: number): Encoding | null => {
  if (header === undefined || bytes < WORTH_PACKING) return null
  const found = known.get(header)
  if (found !== undefined) return found
  const chosen = choose(header)
  if (header.length <= LONGEST_KNOWN && known.size < MOST_KNOWN) known.set(header, chosen)
  return chosen
}

const zipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

/** Maximum number of concurrent compressions; the rest of the thread pool stays free. */
const AT_ONCE = 4
const semaphore = createSemaphore({ concurrent: AT_ONCE })

export const compressionSlots = () => ({ used: semaphore.running(), waiting: semaphore.waiting() })

const compress = (text: string | Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? zipped(text, GZIP)
    : brotlied(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: QUALITY,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        },
      })

const packBeside = (text: () => string | Buffer, encoding: Encoding): Promise<Buffer> =>
  semaphore.run(undefined, () => compress(text(), encoding))

/** Compresses a response in the thread pool; a cached response is compressed once. `text` is called only if needed. */
export const pack = (text: () => string | Buffer, encoding: Encoding, packed?: Packed): Promise<Buffer> => {
  if (!packed) return packBeside(text, encoding)
  packed[encoding] ??= packBeside(text, encoding).catch((error) => {
    delete packed[encoding]
    throw error
  })
  return packed[encoding]
}
