import { api } from '@lyceum/contract'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { ApiError, unauthorized } from '../../core/errors.ts'
import { errorChecker } from './assert-declared-errors.ts'
import type { MountedRoute } from './route-handlers.ts'

const mounted = { id: 'feeds.byId', route: api.feeds.byId, handler: async () => ({}) } as unknown as MountedRoute
const check = errorChecker([mounted])
const to = (id?: string) => ({ id: 'r1', routeOptions: { config: id === undefined ? {} : { id } } }) as unknown as FastifyRequest

test.each([
  new ApiError('feed_not_found'),
  new ApiError('invalid_parameter'),
  new ApiError('body_too_large'),
  unauthorized(),
  new Error('a mistake'),
])('%s is declared', (error) => {
  expect(check(error, to('feeds.byId'))).toBe(error)
})

test('an undeclared error becomes an internal error', () => {
  const error = new ApiError('comment_not_found')
  expect(check(error, to('feeds.byId'))).toEqual(
    new Error('feeds.byId answers 404 comment_not_found, which it does not declare', { cause: error }),
  )
  expect(check(new ApiError('feed_not_found', { status: 410 }), to('feeds.byId'))).toBeInstanceOf(Error)
})

test('paths outside of operations may return any error', () => {
  const error = new ApiError('rest_no_route')
  expect(check(error, to())).toBe(error)
})
