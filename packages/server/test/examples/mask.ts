/** What stands in the examples for values that are secret, or that no two runs have in common. */
const STAND_INS: Readonly<Record<string, unknown>> = {
  password: 'Ab3d Ef6h Ij9l Mn2p Qr5t Uv8x',
  nonce: 'f3Zk1vQ0b8cJ2mN7xT4yLw',
  token: '9tqW3nXb5LkVd0sR7yPz2hGmC4aJ6eUf',
  secret: 'whsec_5bK2nQ8vX1mL7tR4yW9zD3cJ',
  execution_time: 0.002,
}

/** The value with every secret in it replaced, at any depth. What somebody chose (a password in a body) is replaced as well. */
export const masked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(masked)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known = Object.hasOwn(STAND_INS, name) && (typeof member === 'string' || typeof member === 'number')
      return [name, known ? STAND_INS[name] : masked(member)]
    }),
  )
}
