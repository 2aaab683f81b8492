type StandIns = Readonly<Record<string, unknown>>

const TOKEN = '9tqW3nXb5LkVd0sR7yPz2hGmC4aJ6eUf'

const CODE = '7b1e5f3c9a2d48608c4f0e6d1b9a3752'

/** Placeholders for values in responses that are secret or differ between runs. */
const IN_ANSWERS: StandIns = {
  password: 'Ab3d Ef6h Ij9l Mn2p Qr5t Uv8x',
  nonce: 'f3Zk1vQ0b8cJ2mN7xT4yLw',
  token: TOKEN,
  secret: 'whsec_5bK2nQ8vX1mL7tR4yW9zD3cJ',
  execution_time: 0.002,
  // The size depends on the version of the encoder.
  file_size: 48_213,
  certificate_id: CODE,
  response_time: 84,
  request_id: 'req-7f',
  'x-request-id': 'req-7f-1',
}

/** The random part of a file's URL. */
const KEY = /\/media\/[0-9a-f]{32}\//g
const A_KEY = '/media/5f1c0a9be27d4c3886d1f04b7a9e2c63/'
const ARCHIVE = /\/exports\/[0-9a-f]{32}\//g
/** Slugs of hidden objects have a random suffix. */
const HIDDEN_SLUG = /\b(minutes-of-the-meeting|try-slugbait-it-works)-[a-z2-7]{6}\b/g
const CERTIFICATE = /\/certificates\/[0-9a-f]{32}/g

/** Passwords in the examples are made up, so they need no masking. */
const IN_INPUTS: StandIns = { token: TOKEN, code: CODE }

/** Replaces all members with such a name, at any depth. */
const masked = (value: unknown, standIns: StandIns): unknown => {
  if (typeof value === 'string')
    return value
      .replace(KEY, A_KEY)
      .replace(HIDDEN_SLUG, '$1-k4m7qz')
      .replace(ARCHIVE, '/exports/3c9e7f1a5b2d48608c4f0e6d1b9a3752/')
      .replace(CERTIFICATE, `/certificates/${CODE}`)
  if (Array.isArray(value)) return value.map((item) => masked(item, standIns))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      // A notification may be streamed before or after the points for what it reports are added.
      if (name === 'xprofile' && 'actors_count' in value && member)
        return [name, { ...(masked(member, standIns) as object), total_points: 155 }]
      const known = Object.hasOwn(standIns, name) && (typeof member === 'string' || typeof member === 'number')
      // The size of an archive depends on the version of the compressor.
      if (name === 'size' && 'download_url' in value && typeof member === 'number') return [name, 61_904]
      // The visible end of a masked secret.
      if (known && String(member).includes('…')) return [name, 'whsec_…D3cJ']
      return [name, known ? standIns[name] : masked(member, standIns)]
    }),
  )
}

export const maskedAnswer = (value: unknown) => masked(value, IN_ANSWERS)
export const maskedInput = (value: unknown) => masked(value, IN_INPUTS)
