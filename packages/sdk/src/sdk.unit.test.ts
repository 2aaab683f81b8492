import { api } from '@lyceum/contract'
import { describe, expect, test } from 'vitest'
import { createClient, LyceumError, pages } from './index.ts'
import { toRequest } from './transport.ts'

const sent: { url: string; method: string; headers: Record<string, string>; body: unknown }[] = []

interface GivenAnswer {
  status?: number
  body?: string
  headers?: Record<string, string>
}

/** Options of a client whose server returns these responses in order; `sent` records the requests. */
const clientOf = (...answers: readonly GivenAnswer[]) => {
  sent.length = 0
  return {
    baseUrl: 'https://community.example/api/v2/',
    fetch: (async (url: string, init: RequestInit) => {
      const { status = 200, body = '{}', headers } = answers[sent.length] ?? {}
      sent.push({ url, method: init.method ?? '', headers: init.headers as Record<string, string>, body: init.body })
      return new Response(body, { status, ...(headers && { headers }) })
    }) as typeof fetch,
  }
}

const failureOf = async (call: Promise<unknown>): Promise<LyceumError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(LyceumError)
  return error as LyceumError
}

describe('a request', () => {
  test('distributes the input to path, query and body', () => {
    expect(toRequest(api.feeds.update, { feed_id: 7, title: null, message: undefined, nonsense: 1 })).toEqual({
      path: '/feeds/7',
      body: '{"title":null}',
    })
    expect(toRequest(api.comments.list, { feed_id: 7, per_page: 5, parent_id: 0, order: undefined, orderby: null })).toEqual({
      path: '/feeds/7/comments?per_page=5&parent_id=0',
      body: undefined,
    })
  })
  test('uses all remaining fields if the schema does not list its fields', () => {
    const route = { ...api.feeds.update, body: {} } as unknown as typeof api.feeds.update
    expect(toRequest(route, { feed_id: 7, title: null, nonsense: 1 })).toEqual({ path: '/feeds/7', body: '{"title":null,"nonsense":1}' })
  })
  test('sends an empty object for an optional body', () => {
    expect(toRequest(api.feeds.update, { feed_id: 7 }).body).toBe('{}')
  })
  test('encodes path and query parameters', () => {
    expect(toRequest(api.feeds.bySlug, { feed_slug: 'a/b?c#d e%é' }).path).toBe('/feeds/a%2Fb%3Fc%23d%20e%25%C3%A9/by-slug')
    expect(toRequest(api.feeds.bySlug, { feed_slug: '\ud800' }).path).toBe('/feeds/%EF%BF%BD/by-slug')
    expect(toRequest(api.feeds.list, { search: 'a&b=c+d' }).path).toBe('/feeds?search=a%26b%3Dc%2Bd')
  })
  test.each([undefined, null, '', '.', '..'])('rejects the path parameter %j, which would change the path', (username) => {
    expect(() => toRequest(api.profiles.get, { username })).toThrow(new TypeError('GET /profile/{username} needs username'))
  })
  test('has credentials, idempotency key and headers', async () => {
    const client = createClient({ ...clientOf(), username: 'inês', password: 'a:b c', headers: { 'x-a': '1' } })
    await client.feeds.create({ message: 'Hello' }, { idempotencyKey: 'once', headers: { 'x-b': '2' } })
    expect(sent).toEqual([
      {
        url: 'https://community.example/api/v2/feeds',
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from('inês:a:b c').toString('base64')}`,
          'idempotency-key': 'once',
          'x-a': '1',
          'x-b': '2',
        },
        body: '{"message":"Hello"}',
      },
    ])
  })
  test('has the current nonce', async () => {
    let nonce: string | null = null
    const client = createClient({ ...clientOf(), nonce: () => nonce })
    await client.feeds.list()
    nonce = 'n1'
    await client.feeds.list()
    expect(sent.map(({ headers }) => headers['x-lyceum-nonce'])).toEqual([undefined, 'n1'])
  })
  test('does not call the fetch of the platform as a method', async () => {
    const seen: unknown[] = []
    const send = function (this: unknown) {
      seen.push(this)
      return Promise.resolve(new Response('{}'))
    }
    await createClient({ baseUrl: 'https://community.example/api/v2', fetch: send as typeof fetch }).feeds.list()
    expect(seen).toEqual([undefined])
  })
})

describe('a response', () => {
  test('includes status and headers with .answer', async () => {
    const client = createClient(clientOf({ status: 201, body: '{"message":"Published."}', headers: { 'x-request-id': 'r1' } }))
    const { status, headers, body } = await client.feeds.create.answer({ message: 'Hello' })
    expect([status, headers.get('x-request-id'), body.message]).toEqual([201, 'r1', 'Published.'])
  })
  test('with an error rejects with its code, data and request id', async () => {
    const body = JSON.stringify({ code: 'invalid_parameter', message: 'page must be positive.', data: { status: 400, field: 'page' } })
    const error = await failureOf(createClient(clientOf({ status: 400, body, headers: { 'x-request-id': 'r1' } })).feeds.list())
    expect(error).toMatchObject({ status: 400, code: 'invalid_parameter', message: 'page must be positive.', requestId: 'r1' })
    expect(error.data).toEqual({ status: 400, field: 'page' })
  })
  test.each([
    [502, '<html><h1>502 Bad Gateway</h1></html>'],
    [503, ''],
    [400, '"no"'],
    [403, 'null'],
    [404, '{"error":"not found"}'],
    [200, '<html>Sign in to this network</html>'],
    [200, ''],
  ])('%i %j is not a response of a Lyceum server', async (status, body) => {
    const error = await failureOf(createClient(clientOf({ status, body })).feeds.list())
    expect(error).toMatchObject({
      status,
      code: 'unexpected_answer',
      message: `The response is not from a Lyceum server (status ${status}).`,
      data: {},
      requestId: null,
    })
  })
  test('that does not arrive rejects with the error of fetch', async () => {
    const broken = (() => Promise.reject(new TypeError('fetch failed'))) as unknown as typeof fetch
    await expect(createClient({ baseUrl: 'https://community.example', fetch: broken }).feeds.list()).rejects.toThrow(
      new TypeError('fetch failed'),
    )
  })
})

describe('pages', () => {
  const paths = () => sent.map(({ url }) => url.replace('https://community.example/api/v2', ''))
  const collect = async <T>(all: AsyncGenerator<T>) => {
    const found: T[] = []
    for await (const page of all) found.push(page)
    return found
  }
  const answer = (body: object) => ({ body: JSON.stringify(body) })

  test('follow page numbers to the last page', async () => {
    const page = (current_page: number) =>
      answer({ comments: [{ id: current_page }], pagination: { total: 5, per_page: 2, current_page, total_pages: 3 } })
    const found = await collect(pages(createClient(clientOf(page(1), page(2), page(3))).comments.list, { feed_id: 7, per_page: 2 }))
    expect(found.flatMap(({ comments }) => comments.map(({ id }) => id))).toEqual([1, 2, 3])
    expect(paths()).toEqual(['/feeds/7/comments?per_page=2', '/feeds/7/comments?page=2&per_page=2', '/feeds/7/comments?page=3&per_page=2'])
  })
  test('follow a cursor', async () => {
    const page = (next_cursor: string | null) =>
      answer({ feeds: { data: [], current_page: 1, per_page: 1, total: 9, next_cursor }, sticky: null })
    await collect(pages(createClient(clientOf(page('c1'), page('c2'), page(null))).feeds.list, { per_page: 1 }))
    expect(paths()).toEqual(['/feeds?per_page=1', '/feeds?per_page=1&cursor=c1', '/feeds?per_page=1&cursor=c2'])
  })
  test('of an empty list are one page', async () => {
    const none = answer({ data: [], meta: { total: 0, per_page: 20, current_page: 1, total_pages: 0 } })
    expect(await collect(pages(createClient(clientOf(none)).bookmarks.list))).toHaveLength(1)
  })
  test('reject a response without pagination', async () => {
    const all = pages(createClient(clientOf(answer({ data: [] }))).bookmarks.list)
    expect((await all.next()).value).toEqual({ data: [] })
    await expect(all.next()).rejects.toThrow(TypeError)
  })
})

describe('a stream', () => {
  const streamOf = (text: string) => ({ body: text, headers: { 'content-type': 'text/event-stream' } })
  const listenTo = (...answers: readonly GivenAnswer[]) => createClient(clientOf(...answers)).stream.listen()

  test('yields each event with its name, data and id', async () => {
    const events = listenTo(
      streamOf(': hello\n\nevent: unread\nid: a\ndata: {"unread_count":1}\n\nevent: unread\ndata: {"unread_count":2}\n\n'),
    )
    expect((await events.next()).value).toEqual({ event: 'unread', data: { unread_count: 1 }, id: 'a' })
    expect((await events.next()).value).toEqual({ event: 'unread', data: { unread_count: 2 }, id: 'a' })
    await events.return(undefined)
    expect(sent[0]).toMatchObject({
      url: 'https://community.example/api/v2/stream',
      method: 'GET',
      headers: { accept: 'text/event-stream' },
    })
    expect(sent[0]?.headers).not.toHaveProperty('last-event-id')
  })

  test('resumes after any interruption', async () => {
    const events = listenTo(
      streamOf('event: unread\nid: a\ndata: {"unread_count":1}\n\n: ping\nid: b\n\nevent: unread\nid: c\nda'),
      { status: 503, body: '<html>' },
      streamOf('event: unread\nid: d\ndata: {"unread_count":2}\n\n'),
    )
    expect((await events.next()).value?.id).toBe('a')
    expect((await events.next()).value?.id).toBe('d')
    await events.return(undefined)
    expect(sent.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'b', 'b'])
  })

  test('ends when it is replaced, and throws when it is rejected', async () => {
    const replaced = listenTo(streamOf('event: closed\ndata: {"reason":"replaced"}\n\n'))
    expect((await replaced.next()).value).toMatchObject({ event: 'closed' })
    expect(await replaced.next()).toEqual({ done: true, value: undefined })
    const body = JSON.stringify({ code: 'account_banned', message: 'No.', data: { status: 403 } })
    await failureOf(listenTo({ status: 403, body }).next())
  })

  test('ends with its signal, also while it waits to reconnect', async () => {
    const abort = new AbortController()
    const client = createClient(clientOf({ status: 503, body: '' }))
    const next = client.stream.listen({}, { signal: abort.signal }).next()
    abort.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })
})
