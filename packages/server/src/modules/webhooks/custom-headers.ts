const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/
/** Headers of the connection, and those we set ourselves. */
const OWN_HEADERS =
  /^(host|connection|content-(length|type|encoding)|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*|webhook-.*|x-lyceum-.*)$/i
const CREDENTIALS = /auth|cookie|secret|token|password|key/i
const MASK = '••••••••'

/** Why custom headers are refused; null if they are valid. */
export const headersProblem = (headers: Readonly<Record<string, string>>): string | null => {
  const names = Object.keys(headers)
  const bad = names.find((name) => !HEADER_NAME.test(name) || OWN_HEADERS.test(name))
  if (bad !== undefined) return `must not hold ${JSON.stringify(bad.slice(0, 100))}`
  const odd = names.find((name) => !HEADER_VALUE.test(headers[name] ?? '') && headers[name] !== MASK)
  if (odd !== undefined) return `must hold printable characters only: ${odd}`
  return new Set(names.map((name) => name.toLowerCase())).size < names.length ? 'must hold each name once' : null
}

export const maskHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, CREDENTIALS.test(name) ? MASK : value]))

/** The headers that may be sent to another host than they were entered for. */
export const withoutCredentials = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.test(name)))

/** Replaces masked values by the stored ones. */
export const unmaskHeaders = (given: Readonly<Record<string, string>>, kept: Readonly<Record<string, string>>): Record<string, string> => {
  const known = new Map(Object.entries(kept).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const real = value === MASK ? known.get(name.toLowerCase()) : value
      return real === undefined ? [] : [[name, real]]
    }),
  )
}
