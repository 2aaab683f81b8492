import { createECDH, ECDH, hkdfSync } from 'node:crypto'
import { memoize } from '@lyceum/content/lazy'

const CURVE = 'prime256v1'
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** The VAPID key pair of this community, in base64url. Derived from the server's secret, so every instance has the same pair and none is stored. */
export const pushKeysOf = memoize((seed: Buffer) => {
  // 128 bits more than the order of the curve, which makes the bias of the modulo negligible.
  const wide = BigInt(`0x${Buffer.from(hkdfSync('sha256', seed, 'lyceum', 'vapid', 48)).toString('hex')}`)
  const scalar = (wide % (ORDER - 1n)) + 1n
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  const pair = createECDH(CURVE)
  pair.setPrivateKey(privateKey)
  return { publicKey: pair.getPublicKey().toString('base64url'), privateKey: privateKey.toString('base64url') }
})

const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/

/** Browsers send base64url; some libraries send standard base64. */
const bytesOf = (text: string): Buffer | null => {
  const plain = text.replaceAll('+', '-').replaceAll('/', '_')
  return BASE64URL.test(plain) ? Buffer.from(plain, 'base64url') : null
}

/** Normalizes a browser's public key; null if it is not a point on the curve. */
export const readPublicKey = (text: string): string | null => {
  const bytes = bytesOf(text)
  if (bytes?.length !== 65 || bytes[0] !== 4) return null
  try {
    ECDH.convertKey(bytes, CURVE)
    return bytes.toString('base64url')
  } catch {
    return null
  }
}

/** Normalizes a browser's auth secret; null unless it has 16 bytes. */
export const readAuthSecret = (text: string): string | null => {
  const bytes = bytesOf(text)
  return bytes?.length === 16 ? bytes.toString('base64url') : null
}
