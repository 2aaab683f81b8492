import { createECDH, createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

// This decryption library has no types.
const ece = createRequire(import.meta.resolve('web-push'))('http_ece') as {
  decrypt: (body: Buffer, options: object) => Buffer
}

/** The browser's side of a subscription. */
export interface Device {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
  /** Decrypts a message. */
  readonly open: (body: Buffer) => Record<string, unknown>
}

export interface Delivery {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const part = (jwt: string, index: number) => Buffer.from(jwt.split('.')[index] ?? '', 'base64url')

/** The claims of a token; null if the signature is wrong. */
export const vapidClaims = (authorization: string, publicKey: string): { aud: string; exp: number; sub: string } | null => {
  const [, jwt = '', key] = /^vapid t=([^,]+), k=(\S+)$/.exec(authorization) ?? []
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') }
  const signed = Buffer.from(jwt.split('.').slice(0, 2).join('.'))
  const good = verify('sha256', signed, { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }, part(jwt, 2))
  return key === publicKey && good ? JSON.parse(part(jwt, 1).toString()) : null
}

/** A local push service; responds with 201 by default. */
export const startPushService = async () => {
  const deliveries: Delivery[] = []
  const answers = new Map<string, number>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      deliveries.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(answers.get(path) ?? 201).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    device: (): Device => {
      const pair = createECDH('prime256v1')
      const p256dh = pair.generateKeys().toString('base64url')
      const auth = randomBytes(16).toString('base64url')
      const path = `/push/${createHash('sha256').update(p256dh).digest('hex').slice(0, 12)}`
      return {
        endpoint: origin + path,
        keys: { p256dh, auth },
        open: (body) => JSON.parse(ece.decrypt(body, { version: 'aes128gcm', privateKey: pair, authSecret: auth }).toString()),
      }
    },
    /** Messages to a device since the last call. */
    take: ({ endpoint }: Device): Delivery[] => {
      const mine = deliveries.filter(({ path }) => origin + path === endpoint)
      for (const one of mine) deliveries.splice(deliveries.indexOf(one), 1)
      return mine
    },
    answer: ({ endpoint }: Device, status: number) => answers.set(endpoint.slice(origin.length), status),
    close: () => new Promise<void>((done) => server.close(() => done()).closeAllConnections()),
  }
}

export type PushService = Awaited<ReturnType<typeof startPushService>>
