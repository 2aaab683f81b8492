/** The data that requests are generated from. */
export interface Crowd {
  readonly origin: string
  /** API root path. */
  readonly root: string
  /** Authorization headers of the members. */
  readonly people: readonly string[]
  readonly names: readonly string[]
  readonly feeds: readonly number[]
}

/** A kind of request and its percentage. */
interface Share {
  readonly kind: string
  readonly percent: number
  readonly make: (n: number) => Buffer
}

export interface Request {
  readonly kind: string
  readonly bytes: Buffer
}

const WORDS = ['chapter', 'thursday', 'guide', 'draft', 'month', 'reader', 'plan']
const COMMENT = 'Thank you, that helps a lot. I can take the second chapter, and I will bring what we need on Thursday.'
const POST =
  'We went through the plan for the next month. The first draft of the guide is done, and two chapters still need a reader. Please write ' +
  'below what you would like to hear about.'

/** Steps through a list so that consecutive requests use distant items. */
const pick = <T>(list: readonly T[], n: number, step: number): T => list[(n * step) % list.length] as T

const bytesOf = (method: string, path: string, authorization: string, body?: object): Buffer => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const type = body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: load\r\nauthorization: ${authorization}\r\n${type}\r\n${text}`)
}

/** A hundred requests with the given shares, each kind spread evenly. */
const inTurn = (shares: readonly Share[]): Share[] =>
  shares
    .flatMap((share) => Array.from({ length: share.percent }, (_, i) => ({ share, at: (i + 0.5) / share.percent })))
    .sort((a, b) => a.at - b.at)
    .map(({ share }) => share)

/** The usual traffic of a community: 85 % reads, 15 % writes. All of them should succeed. */
export const mixOf = ({ root, people, names, feeds }: Crowd): ((n: number) => Request) => {
  const get = (n: number, path: string) => bytesOf('GET', root + path, pick(people, n, 7))
  const post = (n: number, step: number, path: string, body: object) => bytesOf('POST', root + path, pick(people, n, step), body)
  const shares: readonly Share[] = [
    { kind: 'feed page', percent: 40, make: (n) => get(n, n % 4 === 0 ? `/feeds?page=${2 + (n % 3)}` : '/feeds') },
    { kind: 'one feed', percent: 15, make: (n) => get(n, `/feeds/${pick(feeds, n, 3)}/by-id`) },
    { kind: 'comments', percent: 15, make: (n) => get(n, `/feeds/${pick(feeds, n, 3)}/comments`) },
    { kind: 'notifications', percent: 5, make: (n) => get(n, '/notifications') },
    { kind: 'profile', percent: 5, make: (n) => get(n, `/profile/${pick(names, n, 3)}`) },
    { kind: 'search', percent: 5, make: (n) => get(n, `/feeds?search=${pick(WORDS, n, 1)}`) },
    { kind: 'comment', percent: 6, make: (n) => post(n, 11, `/feeds/${pick(feeds, n, 7)}/comments`, { comment: `${COMMENT} ${n}` }) },
    { kind: 'reaction', percent: 6, make: (n) => post(n, 11, `/feeds/${pick(feeds, n, 7)}/react`, { type: 'like' }) },
    { kind: 'post', percent: 1, make: (n) => post(n, 13, '/feeds', { title: `Notes ${n}`, message: POST }) },
    { kind: 'mark read', percent: 2, make: (n) => post(n, 17, '/notifications/mark-all-read', {}) },
  ]
  const turns = inTurn(shares)
  return (n) => {
    const { kind, make } = pick(turns, n, 1)
    return { kind, bytes: make(n) }
  }
}
