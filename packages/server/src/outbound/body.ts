import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OutboundError } from './error.ts'

const decoderOf = (encoding: string) => {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  if (encoding === 'br') return createBrotliDecompress()
  throw new OutboundError('unreachable', 'The answer is encoded in a way that was not asked for.')
}

interface BodyLimits {
  /** Maximum size after decompression. */
  readonly most: number
  /** Truncates larger bodies instead of failing. */
  readonly cut: boolean
  readonly signal: AbortSignal
}

/**
 * The decompressed body.
 * @throws OutboundError `too_large` once more than `most` bytes have been decompressed
 */
export const readBody = async (body: Readable, encoding: string, { most, cut, signal }: BodyLimits): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  const tooLarge = new OutboundError('too_large', `The answer is larger than ${most} bytes.`)
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length
      if (size > most && !cut) throw tooLarge
      chunks.push(size > most ? chunk.subarray(0, chunk.length - (size - most)) : chunk)
      if (size > most) throw tooLarge
    }
  }
  const name = encoding.trim().toLowerCase()
  try {
    if (name === '' || name === 'identity') await pipeline(body, collect, { signal })
    else await pipeline(body, decoderOf(name), collect, { signal })
  } catch (error) {
    if (error !== tooLarge || !cut) throw error
  }
  return Buffer.concat(chunks)
}
