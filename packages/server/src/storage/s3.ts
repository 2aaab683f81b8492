import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { createDirectClient, type DirectAnswer } from '../outbound/index.ts'
import { type ByteRange, checkPath, StorageUnavailable, type Store, type StoredFile } from './store.ts'

interface S3Options {
  /** URL with the bucket as its path. */
  readonly url: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** Timeout for a connection, a response or its next bytes, in milliseconds. */
  readonly patience?: number
  /** Timeout of the upload of an empty file, in milliseconds. */
  readonly uploadPatience?: number
}

interface Call {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'HEAD'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readable
  /** Length of the body in bytes. */
  readonly size?: number
}

/** Total timeout of an upload, and the addition for each MiB; data exports have no maximum size. */
const UPLOAD_MS = 120_000
const UPLOAD_MS_PER_MIB = 1000
const PATIENCE_MS = 10_000

const away = (error: unknown): never => {
  throw new StorageUnavailable(error)
}

/** Timeout of an upload with this many bytes, in milliseconds. */
export const uploadTime = (size: number, least = UPLOAD_MS): number => least + Math.floor(size / 2 ** 20) * UPLOAD_MS_PER_MIB

const text = (xml: string, tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? ''

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

/**
 * Stores files in a bucket of an S3-compatible service. The operator chooses the address, so it may be a private one. Requests are signed,
 * and the objects are not public.
 */
export const createS3Store = ({
  url,
  region,
  accessKey,
  secretKey,
  patience = PATIENCE_MS,
  uploadPatience = UPLOAD_MS,
}: S3Options): Store & { close(): Promise<void> } => {
  const base = url.replace(/\/+$/, '')
  const client = createDirectClient({ patience })
  const address = (path: string) => new URL(`${base}/${checkPath(path)}`)

  const call = async ({ method, url: to, headers = {}, body, size = 0 }: Call) => {
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
    return client
      .request(signed.url.href, {
        method,
        headers: Object.fromEntries(signed.headers),
        ...(body && { body, timeoutMs: uploadTime(size, uploadPatience) }),
      })
      .catch(away)
  }

  /** The text of a successful response. */
  const finish = async (answer: DirectAnswer, good: readonly number[]): Promise<string> => {
    const said = await answer.text().catch(away)
    if (!good.includes(answer.status)) throw new StorageUnavailable(`${answer.status} ${text(said, 'Code')}`.trim())
    return said
  }

  const page = async (shard: string, token: string) => {
    const to = new URL(base)
    to.searchParams.set('list-type', '2')
    to.searchParams.set('prefix', `${shard}/`)
    if (token) to.searchParams.set('continuation-token', token)
    const xml = await finish(await call({ method: 'GET', url: to }), [200])
    // A regular expression for the content would scan to the end of the response for each unclosed tag.
    const entries = xml
      .split('<Contents>')
      .slice(1)
      .filter((part) => part.includes('</Contents>'))
    const files = entries.map(
      (entry): StoredFile => ({
        path: unescapeXml(text(entry, 'Key')),
        modifiedAt: Date.parse(text(entry, 'LastModified')) / 1000,
      }),
    )
    return { files, next: unescapeXml(text(xml, 'NextContinuationToken')) }
  }

  return {
    kind: 's3',
    put: async (path, file, type) => {
      const { size } = await stat(file)
      const headers = { 'content-type': type, 'content-length': String(size) }
      // An empty stream would be sent with chunked encoding, which S3 rejects.
      await finish(await call({ method: 'PUT', url: address(path), headers, body: createReadStream(file), size }), [200])
    },
    get: async (path, range?: ByteRange) => {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const answer = await call({ method: 'GET', url: address(path), headers })
      if (answer.status === 206 || (answer.status === 200 && !range)) return answer.body
      // Some stores ignore the range and send the whole file.
      if (answer.status === 200 && range) return Readable.from(partOf(answer.body, range))
      await answer.text().catch(away)
      if (answer.status === 404) return null
      throw new StorageUnavailable(String(answer.status))
    },
    remove: async (path) => {
      await finish(await call({ method: 'DELETE', url: address(path) }), [200, 204, 404])
    },
    has: async (path) => {
      const answer = await call({ method: 'HEAD', url: address(path) })
      await answer.text().catch(away)
      if (answer.status === 404) return false
      if (answer.status === 200) return true
      throw new StorageUnavailable(String(answer.status))
    },
    async *list(shard) {
      for (let token = ''; ; ) {
        const { files, next } = await page(shard, token)
        yield* files
        if (!next) return
        if (next === token) throw new StorageUnavailable('its list does not go on')
        token = next
      }
    },
    close: () => client.close(),
  }
}
