import { createS3Client, type S3Options, StorageUnavailable, uploadTime, xmlText } from '../../../../server/src/storage/index.ts'
import type { Write } from '../archive.ts'
import { copyTo } from '../plain-file.ts'
import { parseBackupName } from './names.ts'
import type { Place, StoredBackup } from './place.ts'

/** Size of the parts of an upload, which are held in memory. S3 allows 10,000 parts, so a backup can have 160 GB. */
const PART_BYTES = 16 * 2 ** 20

interface S3PlaceOptions extends S3Options {
  readonly partBytes?: number
}

/** Collects written bytes into parts of equal size; the last one may be shorter. */
const inParts = (size: number, send: (part: Buffer, isLast: boolean) => Promise<void>) => {
  let chunks: Buffer[] = []
  let length = 0
  const flush = async (isLast: boolean) => {
    const part = Buffer.concat(chunks)
    chunks = []
    length = 0
    await send(part, isLast)
  }
  const write: Write = async (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + size - length)
      chunks.push(Buffer.from(piece))
      length += piece.length
      at += piece.length
      if (length === size) await flush(false)
    }
  }
  return { write, end: () => flush(true) }
}

/** Stores backups in a bucket of an S3-compatible service, or in a folder of it. An object exists only after its upload is complete. */
export const createS3Place = ({ url, partBytes = PART_BYTES, ...options }: S3PlaceOptions): Place => {
  const { origin, pathname } = new URL(url)
  const [, bucketName = '', ...folders] = pathname.split('/')
  const bucket = `${origin}/${bucketName}`
  const prefix = folders
    .filter(Boolean)
    .map((folder) => `${folder}/`)
    .join('')
  const { call, finish, list, close } = createS3Client(options)
  const address = (name: string, query: Record<string, string> = {}) => {
    const to = new URL(`${bucket}/${prefix}${name}`)
    for (const [key, value] of Object.entries(query)) to.searchParams.set(key, value)
    return to
  }
  const put = async (to: URL, body: Buffer) => {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(body.length) }
    const answer = await call('PUT', to, headers, { body, timeoutMs: uploadTime(body.length) })
    await finish(answer, [200])
    return String(answer.headers['etag'] ?? '')
  }

  const upload = async (name: string, fill: (write: Write) => Promise<unknown>): Promise<number> => {
    const tags: string[] = []
    let uploadId = ''
    let size = 0
    const { write, end } = inParts(partBytes, async (part, isLast) => {
      size += part.length
      if (isLast && !uploadId) return void (await put(address(name), part))
      if (isLast && part.length === 0) return
      uploadId ||= xmlText(await finish(await call('POST', address(name, { uploads: '' })), [200]), 'UploadId')
      tags.push(await put(address(name, { partNumber: String(tags.length + 1), uploadId }), part))
    })
    try {
      await fill(write)
      await end()
      if (!uploadId) return size
      const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join('')
      const body = Buffer.from(`<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`)
      const headers = { 'content-type': 'application/xml', 'content-length': String(body.length) }
      const said = await finish(await call('POST', address(name, { uploadId }), headers, { body, timeoutMs: uploadTime(size) }), [200])
      // S3 can report an error with status 200, because the response starts before the parts are joined.
      if (said.includes('<Error>')) throw new StorageUnavailable(xmlText(said, 'Code'))
      return size
    } catch (error) {
      if (uploadId)
        await call('DELETE', address(name, { uploadId }))
          .then(
            (answer) => finish(answer, [200, 204, 404]),
            () => {},
          )
          .catch(() => {})
      throw error
    }
  }

  return {
    list: async () => {
      const backups: StoredBackup[] = []
      for await (const { path, size } of list(bucket, `${prefix}lyceum-`)) {
        const name = path.slice(prefix.length)
        if (parseBackupName(name)) backups.push({ name, size })
      }
      return backups
    },
    write: upload,
    read: async (name, folder, work) => {
      const answer = await call('GET', address(name))
      if (answer.statusCode !== 200) await finish(answer, [200])
      return work(await copyTo(folder, name, answer.body))
    },
    remove: async (name) => {
      await finish(await call('DELETE', address(name)), [200, 204, 404])
    },
    close,
  }
}
