import type { Random } from '#test/random.ts'
import type { Operation } from './document.ts'
import { ODD_NAMES, oddText, oddValue, RAW_SEGMENTS, toJson, Verbatim } from './oddities.ts'
import type { Generator, Pools } from './values.ts'

export const ROLES = ['anonymous', 'stranger', 'outsider', 'member', 'moderator', 'administrator'] as const
/** `stranger`: an existing username with a wrong password. */
export type Role = (typeof ROLES)[number]

export interface FuzzRequest {
  /** The operation it was generated from; another operation may handle it. */
  readonly operation: string
  readonly role: Role
  /** Authenticated like a browser, by a session cookie with its nonce. */
  readonly session: boolean
  readonly method: string
  /** Path segments below the API root, as sent. */
  readonly segments: readonly string[]
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: Readonly<Record<string, string>>
  /** A value sent as JSON, or text or bytes sent unchanged; undefined: no body. */
  readonly body: unknown
  /** Only a real connection sends such a path unchanged. */
  readonly raw: boolean
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

export const pathOf = ({ segments, query }: Pick<FuzzRequest, 'segments' | 'query'>): string => {
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return `/${segments.join('/')}${search ? `?${search}` : ''}`
}

/** The body as sent, or undefined. */
export const textOf = ({ body }: Pick<FuzzRequest, 'body'>): string | Buffer | undefined =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : toJson(body)

const ROLE_WEIGHTS: Readonly<Record<Role, number>> = { anonymous: 1, stranger: 1, outsider: 3, member: 6, moderator: 4, administrator: 6 }
const ROLE_DRAW = ROLES.flatMap((role) => Array.from({ length: ROLE_WEIGHTS[role] }, () => role))

const BROKEN_BODIES = [
  '',
  ' ',
  '{',
  '{}x',
  '[]',
  'null',
  '0',
  '"text"',
  'true',
  '{"a":1',
  "{'a':1}",
  '{"a":01}',
  '{"a":NaN}',
  '{"a":1,}',
  '\ufeff{}',
  '{"\\ud800":1}',
  '{"a":"\\u0000"}',
  '{"a":"\\x"}',
  '[[[[[[[[',
  `${'['.repeat(100_000)}`,
  'a=1&b=2',
  '<xml/>',
]

const HEADER_ODDITIES: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['idempotency-key', ['k1', 'k2', 'k3', 'k4', 'k5', 'x'.repeat(255), 'x'.repeat(256), 'with space', '', '__proto__']],
  [
    'content-type',
    [
      'text/plain',
      'application/json; charset=utf-16',
      'application/json;charset=utf-8',
      'Application/JSON',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json, text/plain',
      '',
    ],
  ],
  ['accept', ['application/problem+json', 'text/html', '*/*;q=0', 'x']],
  ['x-http-method-override', ['DELETE', 'PUT', 'PATCH', 'GET', 'put', 'TRACE', '__proto__']],
  ['x-request-id', ['a b', 'x'.repeat(100), '<script>']],
  ['cookie', ['lyceum_session=abc', 'lyceum_session=%zz; a=b', '=; ;;', `x=${'y'.repeat(4000)}`]],
  ['x-lyceum-nonce', ['', 'x', '1:2:3']],
  [
    'authorization',
    [
      'Basic',
      'Basic Og==',
      'Basic !!!',
      'Bearer x',
      `Basic ${Buffer.from('admin\0:x').toString('base64')}`,
      'Digest a=b',
      `Basic ${'A'.repeat(6000)}`,
    ],
  ],
  ['if-none-match', ['*', '""']],
  ['range', ['bytes=0-0']],
  ['expect', ['100-continue']],
]

const FORM = 'multipart/form-data; boundary=fuzz'

/** The members as form fields, with a small document as the file. */
const formOf = ({ file, ...fields }: Record<string, unknown>): string => {
  const parts = Object.entries(fields).map(
    ([name, value]) => `name=${JSON.stringify(name)}\r\n\r\n${typeof value === 'string' ? value.toWellFormed() : toJson(value)}`,
  )
  if (file !== undefined) parts.push('name="file"; filename="notes.pdf"\r\n\r\n%PDF-1.7 notes')
  return `${parts.map((part) => `--fuzz\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--fuzz--\r\n`
}

export interface Maker {
  /** A random request for that operation: valid, slightly wrong or very wrong. */
  make(operation: Operation): FuzzRequest
}

type Wrongness = 'valid' | 'once' | 'often'

/** Maximum size of a request line that reaches the app instead of being refused by the HTTP parser. */
const LONGEST_QUERY = 5000
const LONGEST_SEGMENT = 3000

export const createMaker = (random: Random, pools: Pools, { valid, vary }: Generator): Maker => {
  const spoil = (wrongness: Wrongness, among: number) => wrongness !== 'valid' && random.chance(wrongness === 'often' ? 0.4 : 1 / among)

  const value = (schema: Operation['parameters'][number]['schema'], name: string, wrong: boolean) => {
    if (wrong) return oddText(random)
    return String(valid(schema, name) ?? '')
  }

  /** Inserts an unusual value into a body, as a replacement or an additional member. */
  const spoilBody = (body: Record<string, unknown>): unknown => {
    const names = Object.keys(body)
    const kind = random.int(10)
    if (kind === 0) return oddValue(random)
    if (kind === 1) return { ...body, [random.pick(ODD_NAMES)]: oddValue(random) }
    if (kind === 2) return new Verbatim(`{"__proto__":${toJson(oddValue(random))}${names.length > 0 ? `,${toJson(body).slice(1)}` : '}'}`)
    if (kind === 3 && names.length > 0) return Object.fromEntries(Object.entries(body).filter(([name]) => name !== random.pick(names)))
    if (names.length === 0) return { [random.pick(ODD_NAMES)]: oddValue(random) }
    const name = random.pick(names)
    const inner = body[name]
    if (inner !== null && typeof inner === 'object' && !Array.isArray(inner) && random.oneIn(2))
      return { ...body, [name]: spoilBody(inner as Record<string, unknown>) }
    if (Array.isArray(inner) && inner.length > 0 && random.oneIn(2)) {
      const list = [...inner]
      list[random.int(list.length)] = oddValue(random)
      return { ...body, [name]: random.oneIn(3) ? [...list, ...list] : list }
    }
    return { ...body, [name]: random.oneIn(5) ? [inner] : oddValue(random) }
  }

  const bodyFor = (operation: Operation, wrongness: Wrongness): unknown => {
    if (!operation.body) return random.oneIn(30) ? {} : undefined
    const { bodyExamples } = operation
    const made = valid(operation.body, '') as Record<string, unknown>
    const body =
      bodyExamples.length > 0 && random.oneIn(2) ? { ...(random.pick(bodyExamples) as object), ...(random.oneIn(2) && made) } : made
    if (spoil(wrongness, 12)) return random.pick(BROKEN_BODIES)
    let spoilt: unknown = body
    for (let times = wrongness === 'valid' ? 0 : wrongness === 'once' ? 1 : 1 + random.int(4); times > 0; times--) {
      if (spoilt !== null && typeof spoilt === 'object' && !Array.isArray(spoilt) && !(spoilt instanceof Verbatim))
        spoilt = spoilBody(spoilt as Record<string, unknown>)
    }
    return spoilt
  }

  return {
    make: (operation) => {
      vary()
      const draw = random.int(100)
      const wrongness: Wrongness = draw < 50 ? 'valid' : draw < 85 ? 'once' : 'often'
      let raw = false
      const inPath = operation.parameters.filter(({ in: where }) => where === 'path').map(({ name }) => name)
      const together = inPath.length > 1 && !random.oneIn(4) ? pools.together(inPath, random) : undefined
      const segments = operation.path
        .slice(1)
        .split('/')
        .map((segment) => {
          const parameter = operation.parameters.find(({ name, in: where }) => where === 'path' && segment === `{${name}}`)
          if (!parameter) {
            if (!spoil(wrongness, 60)) return segment
            raw = true
            return random.pick(RAW_SEGMENTS)
          }
          if (spoil(wrongness, 12)) {
            raw = true
            return random.pick(RAW_SEGMENTS)
          }
          const known = together?.[inPath.indexOf(parameter.name)] ?? pools.pick(parameter.name, random)
          const wrong = spoil(wrongness, 6)
          const text = wrong || known === undefined ? value(parameter.schema, parameter.name, wrong) : String(known)
          return encode(text.slice(0, 3000)).length > LONGEST_SEGMENT ? encode(text.slice(0, 300)) : encode(text.slice(0, 3000))
        })
      if (wrongness === 'often' && random.oneIn(10)) {
        raw = true
        segments.splice(random.int(segments.length + 1), 0, random.pick(['', '.', '..', '%2e%2e']))
      }
      const query: [string, string][] = []
      for (const { name, in: where, schema, required } of operation.parameters) {
        if (where !== 'query' || !(required || random.chance(0.3))) continue
        const given: [string, string] = [name, value(schema, name, spoil(wrongness, 3)).slice(0, 5000)]
        query.push(given)
        if (spoil(wrongness, 15)) query.push(given)
      }
      if (spoil(wrongness, 15)) query.push([random.pick(ODD_NAMES), oddText(random).slice(0, 2000)])
      const made = bodyFor(operation, wrongness)
      const isForm = operation.multipart && made !== null && typeof made === 'object' && !random.oneIn(12)
      const body = isForm ? formOf(made as Record<string, unknown>) : made
      const headers: Record<string, string> = isForm ? { 'content-type': FORM } : {}
      if (operation.method === 'POST' && random.oneIn(8)) headers['idempotency-key'] = `fuzz-${random.int(40)}`
      if (spoil(wrongness, 10)) {
        const [name, values] = random.pick(HEADER_ODDITIES)
        headers[name] = random.pick(values)
      }
      const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
      while (pathOf({ segments: [], query }).length > LONGEST_QUERY) query.pop()
      return {
        operation: operation.id,
        role: random.pick(ROLE_DRAW),
        session: random.oneIn(8),
        method: spoil(wrongness, 30) ? random.pick(methods) : operation.method,
        segments,
        query,
        headers,
        body,
        raw,
      }
    },
  }
}
