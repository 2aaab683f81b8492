import { type FuzzRequest, pathOf, textOf } from './requests.ts'

const MOST_TRIES = 80
const LONGEST_SHOWN = 400

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, i) => i !== index)

/** Slightly smaller variants of a request, the most promising first. */
const smaller = (request: FuzzRequest): FuzzRequest[] => {
  const { query, headers, body } = request
  const found: FuzzRequest[] = []
  const names = Object.keys(headers)
  for (const name of names)
    found.push({ ...request, headers: Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)) })
  query.forEach((_, i) => {
    found.push({ ...request, query: without(query, i) })
  })
  query.forEach(([name, value], i) => {
    if (value.length > 4)
      found.push({ ...request, query: query.map((entry, j) => (i === j ? [name, value.slice(0, value.length >> 1)] : entry)) })
  })
  if (body !== null && typeof body === 'object' && !Array.isArray(body) && Object.getPrototypeOf(body) === Object.prototype) {
    const entries = Object.entries(body)
    entries.forEach((_, i) => {
      found.push({ ...request, body: Object.fromEntries(without(entries, i)) })
    })
    for (const [name, value] of entries) {
      const less =
        typeof value === 'string' && value.length > 4
          ? value.slice(0, value.length >> 1)
          : Array.isArray(value) && value.length > 1
            ? value.slice(0, value.length >> 1)
            : undefined
      if (less !== undefined) found.push({ ...request, body: { ...body, [name]: less } })
    }
  }
  return found
}

/** The smallest request that still fails, within a limited number of attempts; undefined if the request does not fail again. */
export const shrink = async (request: FuzzRequest, fails: (request: FuzzRequest) => Promise<boolean>): Promise<FuzzRequest | undefined> => {
  if (!(await fails(request))) return undefined
  let best = request
  let tries = 0
  for (let better = true; better && tries < MOST_TRIES; ) {
    better = false
    for (const candidate of smaller(best)) {
      if (++tries > MOST_TRIES) break
      if (await fails(candidate)) {
        best = candidate
        better = true
        break
      }
    }
  }
  return best
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const cut = (text: string) => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)` : text)

/** A curl command that repeats the request. A variable named after the role contains the credentials. */
export const asCurl = (request: FuzzRequest, root: string): string => {
  const sent = textOf(request)
  const body = Buffer.isBuffer(sent) ? sent.toString('latin1') : sent
  const { role, session } = request
  const named = session ? `-b "$${role}_cookie" -H "x-lyceum-nonce: $${role}_nonce"` : `-u "$${role}"`
  const signed = role === 'anonymous' ? [] : role === 'stranger' ? ['-u member:wrong'] : [named]
  const headers = Object.entries({ ...(body !== undefined && { 'content-type': 'application/json' }), ...request.headers })
  return [
    'curl -i --path-as-is',
    `-X ${request.method}`,
    ...signed,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(cut(body))}`]),
    `"$server"${quoted(root + cut(pathOf(request)))}`,
  ].join(' ')
}
