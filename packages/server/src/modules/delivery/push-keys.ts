import { createECDH, ECDH, hkdfSync } from 'node:crypto'

const CURVE = 'prime256v1'
/** Order of the curve P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

export interface PushKeys {
  /** Both base64url, as browsers and push services take them. */
  readonly publicKey: string
  readonly privateKey: string
}

const known = new WeakMap<Buffer, PushKeys>()

/** The key pair by which push services know this community (VAPID): the same on every instance with the same secret, kept nowhere. */
export const pushKeysOf = (seed: Buffer): PushKeys => {
  const found = known.get(seed)
  if (found) return found
  // 128 bits more than the order has, so that no scalar is likelier than another.
  const wide = BigInt(`0x${Buffer.from(hkdfSync('sha256', seed, 'lyceum', 'vapid', 48)).toString('hex')}`)
  const scalar = (wide % (ORDER - 1n)) + 1n
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  const pair = createECDH(CURVE)
  pair.setPrivateKey(privateKey)
  const keys = { publicKey: pair.getPublicKey().toString('base64url'), privateKey: privateKey.toString('base64url') }
  known.set(seed, keys)
  return keys
}

const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/

/** Browsers give base64url; some libraries send the common base64. */
const bytesOf = (text: string): Buffer | null => {
  const plain = text.replaceAll('+', '-').replaceAll('/', '_')
  return BASE64URL.test(plain) ? Buffer.from(plain, 'base64url') : null
}

/** The public key of a browser in its one form, or null when it is no point of the curve. */
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

/** The shared secret of a browser in its one form, or null when it does not have 16 bytes. */
export const readAuthSecret = (text: string): string | null => {
  const bytes = bytesOf(text)
  return bytes?.length === 16 ? bytes.toString('base64url') : null
}
