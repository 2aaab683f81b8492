import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { lazy } from '@lyceum/content/lazy'
import { AwsV4Signer } from 'aws4fetch'
import type { Dispatcher } from 'undici'
import { readBody } from '../outbound/body.ts'
import { forEachAtOnce } from '../util/at-once.ts'
import { lazyRequire } from '../util/lazy.ts'
import { type ByteRange, checkPath, type ObjectStorage, StorageUnavailable, type StoredFile } from './object-storage.ts'

export interface S3Options {
  /** URL with the bucket as its path. */
  readonly url: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** Timeout for a connection, a response or its next bytes, in milliseconds. */
  readonly timeoutMs?: number
  /** Timeout of the upload of an empty file, in milliseconds. */
  readonly uploadTimeoutMs?: number
}

interface Upload {
  readonly body: Readable | Buffer
  readonly timeoutMs: number
}

/** Total timeout of an upload, and the addition for each MiB; data exports have no maximum size. */
const UPLOAD_MS = 120_000
const UPLOAD_MS_PER_MIB = 1000
const TIMEOUT_MS = 10_000
const UPLOADS_AT_ONCE = 8
/** Maximum size of a response that is read as text. A list of a thousand file names has some hundred kilobytes. */
const MAX_TEXT = 8 * 1024 * 1024

const undici = lazyRequire<typeof import('undici')>('undici')

const away = (error: unknown): never => {
  throw new StorageUnavailable(error)
}

/** Timeout of an upload with this many bytes, in milliseconds. */
export const uploadTime = (size: number, least = UPLOAD_MS): number => least + Math.floor(size / 2 ** 20) * UPLOAD_MS_PER_MIB

export const xmlText = (xml: string, tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? ''

async function* partOf(bytes: AsyncIterable<Buffer>, { start, end }: ByteRange) {
  let at = 0
  for await (const chunk of bytes) {
    if (at + chunk.length > start) yield chunk.subarray(Math.max(0, start - at), end + 1 - at)
    at += chunk.length
    if (at > end) return
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescapeXml = (value: string) => value.replace(/&(amp|lt|gt|quot|apos);/g, (_match, name: string) => ENTITIES[name] ?? '')

/** Sends signed requests to an S3-compatible service. The operator chooses the address, so it may be a private one. */
export const createS3Client = ({ region, accessKey, secretKey, timeoutMs = TIMEOUT_MS }: Omit<S3Options, 'url'>) => {
  const agent = lazy(
    () => new (undici().Agent)({ connect: { timeout: timeoutMs }, headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connections: 32 }),
  )
  /** Sends a signed request; the body of the response must be read to its end, or destroyed. */
  const call = async (
    method: Dispatcher.HttpMethod,
    to: URL,
    headers: Readonly<Record<string, string>> = {},
    upload: Upload | null = null,
  ) => {
    const signer = new AwsV4Signer({
      method,
      url: to.href,
      headers: { ...headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
    })
    const signed = await signer.sign()
    return undici()
      .request(signed.url, {
        dispatcher: agent(),
        method,
        headers: Object.fromEntries(signed.headers),
        ...(upload && { body: upload.body, headersTimeout: upload.timeoutMs, signal: AbortSignal.timeout(upload.timeoutMs) }),
      })
      .catch(away)
  }

  const finish = async ({ statusCode, body }: Dispatcher.ResponseData, good: readonly number[]): Promise<string> => {
    const bytes = await readBody(body, '', { most: MAX_TEXT, cut: false, signal: AbortSignal.timeout(timeoutMs) }).catch(away)
    const said = bytes.toString('utf8')
    if (!good.includes(statusCode)) throw new StorageUnavailable(`${statusCode} ${xmlText(said, 'Code')}`.trim())
    return said
  }

  /** A page of the objects of a bucket whose keys begin with `prefix`. */
  const page = async (base: string, prefix: string, token: string) => {
    const to = new URL(base)
    to.searchParams.set('list-type', '2')
    to.searchParams.set('prefix', prefix)
    if (token) to.searchParams.set('continuation-token', token)
    const xml = await finish(await call('GET', to), [200])
    // A regular expression for the content would scan to the end of the response for each unclosed tag.
    const entries = xml
      .split('<Contents>')
      .slice(1)
      .filter((part) => part.includes('</Contents>'))
    const files = entries.map(
      (entry): StoredFile => ({
        path: unescapeXml(xmlText(entry, 'Key')),
        size: Number(xmlText(entry, 'Size')),
        modifiedAt: Date.parse(xmlText(entry, 'LastModified')) / 1000,
      }),
    )
    return { files, next: unescapeXml(xmlText(xml, 'NextContinuationToken')) }
  }

  async function* list(base: string, prefix: string): AsyncGenerator<StoredFile> {
    for (let token = ''; ; ) {
      const { files, next } = await page(base, prefix, token)
      yield* files
      if (!next) return
      if (next === token) throw new StorageUnavailable('its list does not go on')
      token = next
    }
  }

  return {
    call,
    finish,
    list,
    close: async () => {
      if (agent.isLoaded) await agent().destroy()
    },
  }
}

export interface S3Storage extends ObjectStorage {
  /** Every object of the bucket, with one request for a thousand of them. */
  listAll(): AsyncIterable<StoredFile>
  close(): Promise<void>
}

/** Stores files in a bucket of an S3-compatible service. The objects are not public. */
export const createS3Storage = ({ url, uploadTimeoutMs = UPLOAD_MS, ...options }: S3Options): S3Storage => {
  const base = url.replace(/\/+$/, '')
  const { call, finish, list, close } = createS3Client(options)
  const address = (path: string) => new URL(`${base}/${checkPath(path)}`)
  const put: ObjectStorage['put'] = async (path, file, type) => {
    const { size } = await stat(file)
    // Without a length, the stream would be sent with chunked encoding, which S3 rejects.
    const headers = { 'content-type': type, 'content-length': String(size) }
    const upload = { body: createReadStream(file), timeoutMs: uploadTime(size, uploadTimeoutMs) }
    await finish(await call('PUT', address(path), headers, upload), [200])
  }

  return {
    kind: 's3',
    put,
    putAll: (files) => forEachAtOnce(UPLOADS_AT_ONCE, files, ({ from, to, type }) => put(to, from, type)),
    get: async (path, range?: ByteRange) => {
      const answer = await call('GET', address(path), range ? { range: `bytes=${range.start}-${range.end}` } : {})
      const { statusCode, body } = answer
      if (statusCode === 206 || (statusCode === 200 && !range)) return body
      // Some stores ignore the range and send the whole file.
      if (statusCode === 200 && range) return Readable.from(partOf(body, range))
      await finish(answer, [404])
      return null
    },
    remove: async (path) => {
      await finish(await call('DELETE', address(path)), [200, 204, 404])
    },
    has: async (path) => {
      const answer = await call('HEAD', address(path))
      await finish(answer, [200, 404])
      return answer.statusCode === 200
    },
    list: (shard) => list(base, `${shard}/`),
    listAll: () => list(base, ''),
    close,
  }
}
