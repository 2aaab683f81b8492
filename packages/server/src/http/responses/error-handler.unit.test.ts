import { basename } from 'node:path'
import { Writable } from 'node:stream'
import Fastify from 'fastify'
import pino from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '../../core/errors.ts'
import { DatabaseUnavailable } from '../../db/index.ts'
import { BusyError } from '../../util/semaphore.ts'
import { sendError } from './error-handler.ts'

const lines: string[] = []
const log = pino(
  new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  }),
)
beforeEach(() => {
  lines.length = 0
})

const answerTo = async (thrown: unknown, accept = 'application/json') => {
  const app = Fastify({ genReqId: () => 'request-1' })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, log))
  app.get('/', () => {
    throw thrown
  })
  const { statusCode, body, headers } = await app.inject({ url: '/?token=hush', headers: { accept } })
  await app.close()
  return { status: statusCode, text: body, body: JSON.parse(body), retryAfter: headers['retry-after'] }
}

const INSIDE = `select password_hash from users where email = 'ana@example.org' in /srv/lyceum/secret.ts`

test.each(['application/json', 'application/problem+json'])('an unexpected error reveals no internals to %s', async (accept) => {
  for (const thrown of [
    new Error(INSIDE),
    new TypeError(INSIDE),
    Object.assign(new Error(INSIDE), { statusCode: 500, code: 'SQLITE_ERROR' }),
  ]) {
    const { status, text, body } = await answerTo(thrown, accept)
    expect([status, body.code]).toEqual([500, 'internal_error'])
    expect(text).toContain('request-1')
    expect(text).not.toMatch(/select|users|example\.org|secret|\.ts|SQLITE|Error:|hush/)
  }
})

test('the log contains it with its stack and the request id', async () => {
  await answerTo(new Error(INSIDE))
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 50,
    request_id: 'request-1',
    err: { message: INSIDE, stack: expect.stringContaining(basename(import.meta.filename)) },
  })
})

test('a client error is returned to the client, and not logged as a server error', async () => {
  expect(await answerTo(new ApiError('feed_not_found'))).toMatchObject({ status: 404, body: { code: 'feed_not_found' } })
  expect(lines).toEqual([])
})

test('a server that stops or sheds load does not log each refused request as a failure', async () => {
  expect(await answerTo(new ApiError('service_unavailable'))).toMatchObject({ status: 503 })
  expect(await answerTo(new BusyError('Too many are waiting.'))).toMatchObject({ status: 503 })
  expect(lines).toEqual([])
})

test('a temporary error has a Retry-After header', async () => {
  expect(await answerTo(new DatabaseUnavailable(new Error(INSIDE)))).toMatchObject({ status: 503, retryAfter: '1' })
  expect(await answerTo(new ApiError('service_unavailable', { data: { retry_after: 7 } }))).toMatchObject({ status: 503, retryAfter: '7' })
  expect(await answerTo(new ApiError('feed_not_found'))).toMatchObject({ status: 404, retryAfter: undefined })
})

test('an unavailable database is logged once a second, and other errors are still logged', async () => {
  const away = new DatabaseUnavailable(new Error(INSIDE))
  const other = pino(new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }))
  const app = Fastify()
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, other))
  app.get('/', (request) => {
    throw request.headers['x-of'] ? new Error(INSIDE) : away
  })
  for (let i = 0; i < 50; i++) await app.inject('/')
  expect(lines).toHaveLength(1)
  await app.inject({ url: '/', headers: { 'x-of': 'another kind' } })
  expect(lines).toHaveLength(2)
  await app.close()
})
