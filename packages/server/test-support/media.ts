import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { Member } from './world.ts'

/** For tests of packages that do not use it otherwise. */
export { sharp }

/** A single-color picture. */
export const picture = (format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png', width = 8, height = 6): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .toFormat(format)
    .toBuffer()

export const asFile = (bytes: Uint8Array | string, name = 'file', type = ''): File =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })

/** Uploads a picture or other bytes. */
export const upload = async (member: Member, bytes?: Uint8Array, name = 'picture.png') =>
  (await member.api.media.upload({ file: asFile(bytes ?? (await picture()), name) })).data

export const basic = ({ username, password }: Pick<Member, 'username' | 'password'>) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})

/** Fetches a file as a member; null: without credentials. */
export const fetchFile = async (member: Member | null, url: string, headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await fetch(url, { method, headers: { ...(member && basic(member)), ...headers }, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

export const statusOf = async (member: Member | null, url: string): Promise<number> => (await fetchFile(member, url)).status

const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG that claims these dimensions and decompresses to `rows` rows of zeros. */
export const bomb = (width: number, height: number, rows = height): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(rows * (width + 1)), { level: 9 })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/** A multipart body with its content type. */
export const form = (parts: readonly { head: string; body: Uint8Array | string }[], boundary = 'xxBOUNDARYxx') => ({
  type: `multipart/form-data; boundary=${boundary}`,
  bytes: Buffer.concat([
    ...parts.flatMap(({ head, body }) => [Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')]),
    Buffer.from(`--${boundary}--\r\n`),
  ]),
})

export const filePart = (body: Uint8Array | string, name = 'file', filename = 'a.png') => ({
  head: `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: application/octet-stream`,
  body,
})
export const fieldPart = (name: string, body: string) => ({ head: `Content-Disposition: form-data; name="${name}"`, body })

/** The smallest file recognized as a video. */
export const mp4 = (length = 1000): Buffer => {
  const bytes = Buffer.alloc(length, 7)
  bytes.writeUInt32BE(24, 0)
  bytes.write('ftypisom', 4, 'latin1')
  bytes.writeUInt32BE(512, 12)
  bytes.write('isomiso2', 16, 'latin1')
  return bytes
}
