import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type Examples, openapiDocument } from './openapi.ts'
import { type Route, route } from './route.ts'
import { Datetime, dataOf, Id, Message, named, nullable, paging, pathId } from './shapes/common.ts'

const Leaf = named('Leaf', { id: Id, fallen_at: nullable(Datetime) })
const Tree = named('Tree', { id: Id, crown: nullable(Leaf), leaves: Type.Array(Leaf) })

const read = route({
  method: 'GET',
  path: '/trees/{id}',
  access: 'member',
  summary: 'A tree',
  params: pathId('id'),
  response: dataOf(Tree),
})
const list = route({
  method: 'GET',
  path: '/trees',
  access: 'public',
  summary: 'Trees',
  query: Type.Object(paging(20)),
  response: Type.Array(Tree),
})
const plant = route({
  method: 'POST',
  path: '/trees',
  access: 'manage_feeds',
  summary: 'Plant a tree',
  body: Type.Object({ name: Type.String() }),
  response: Message,
  status: 201,
  errors: ['feed_not_found'],
  fieldErrors: { name: 'invalid_content' },
})

// biome-ignore lint/suspicious/noExplicitAny: tests access single members of the document
const documentOf = (routes: Record<string, Route>, examples: Examples = {}): any =>
  openapiDocument('/api/v2', { groups: { trees: routes }, examples })

const codesOf = (responses: Record<string, { content?: { 'application/json': { examples: object } } }>) =>
  Object.fromEntries(
    Object.entries(responses).flatMap(([status, { content }]) =>
      content && Number(status) >= 400 ? [[status, Object.keys(content['application/json'].examples)]] : [],
    ),
  )

describe('named schemas', () => {
  test('are components, with references elsewhere', () => {
    const { components, paths } = documentOf({ read, list })
    expect(components.schemas.Tree.properties).toMatchObject({
      crown: { anyOf: [{ $ref: '#/components/schemas/Leaf' }, { type: 'null' }] },
      leaves: { type: 'array', items: { $ref: '#/components/schemas/Leaf' } },
    })
    const content = paths['/trees/{id}'].get.responses[200].content['application/json']
    expect(content.schema.properties.data).toMatchObject({ $ref: '#/components/schemas/Tree' })
    expect(JSON.stringify({ components, paths }).match(/"fallen_at"/g)).toHaveLength(2)
  })
  test('with the same name must be equal', () => {
    const other = route({ ...read, path: '/leaves/{id}', response: named('Leaf', { id: Id }) })
    expect(() => documentOf({ read, other })).toThrow('two different shapes are called Leaf')
  })
  test('can have a description at their reference', () => {
    const dated = route({
      ...read,
      path: '/trees/{id}/age',
      response: Type.Object({ felled_at: Type.String({ ...Datetime, description: 'When it fell' }) }),
    })
    const { schema } = documentOf({ read, dated }).paths['/trees/{id}/age'].get.responses[200].content['application/json']
    expect(schema.properties.felled_at).toEqual({ $ref: '#/components/schemas/Datetime', description: 'When it fell' })
  })
})

describe('an operation', () => {
  test('has its own error codes and those of its access and inputs, by status', () => {
    expect(codesOf(documentOf({ plant }).paths['/trees'].post.responses)).toEqual({
      400: ['invalid_parameter', 'missing_required_field', 'invalid_data', 'invalid_json', 'invalid_content'],
      403: ['rest_forbidden', 'rest_cookie_invalid_nonce', 'account_suspended', 'account_banned', 'email_not_verified', 'account_pending'],
      404: ['feed_not_found'],
      409: ['conflict'],
    })
    expect(Object.keys(documentOf({ plant }).paths['/trees'].post.responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ])
  })
  test('restricts the code of an error to the possible ones', () => {
    const { schema } = documentOf({ plant }).paths['/trees'].post.responses[404].content['application/json']
    expect(schema.allOf).toEqual([
      { $ref: '#/components/schemas/Error' },
      {
        type: 'object',
        properties: { code: { enum: ['feed_not_found'] }, data: { type: 'object', properties: { status: { const: 404 } } } },
      },
    ])
  })
  test('has its authentication schemes', () => {
    const { paths } = documentOf({ read, list, plant })
    expect(paths['/trees/{id}'].get.security).toEqual([{ basic: [] }, { session: [] }])
    expect(paths['/trees'].post.security).toEqual([{ basic: [] }, { session: [], nonce: [] }])
    expect(paths['/trees'].get.security).toEqual([])
    expect(paths['/trees'].post.description).toContain('manage_feeds')
  })
  test('has its parameters with defaults and limits', () => {
    const { paths } = documentOf({ read, list })
    expect(paths['/trees/{id}'].get.parameters).toEqual([
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'Id of the object.',
        schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      },
    ])
    expect(paths['/trees'].get.parameters[1]).toEqual({
      name: 'per_page',
      in: 'query',
      description: 'Number of entries per page. Larger values are reduced to the maximum.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    })
  })
  test('accepts an idempotency key if it is a POST that writes', () => {
    const { paths } = documentOf({ plant, try: route({ ...plant, path: '/trees/try', write: false }) })
    expect(paths['/trees'].post.parameters).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }])
    expect(paths['/trees/try'].post.parameters).toBeUndefined()
    expect(paths['/trees/try'].post.responses[422]).toBeUndefined()
  })
  test('includes recorded examples', () => {
    const { paths } = documentOf(
      { plant, read },
      {
        'trees.plant': [
          { body: { name: 'Oak' }, status: 201, response: { message: 'Planted.' } },
          { label: 'a small one', body: { name: 'Yew' }, status: 201, response: { message: 'Planted.' } },
        ],
        'trees.read': [{ params: { id: 7 }, status: 200, response: {} }],
      },
    )
    expect(paths['/trees'].post.requestBody.content['application/json'].examples).toEqual({
      example: { summary: 'Example', value: { name: 'Oak' } },
      'a-small-one': { summary: 'A small one', value: { name: 'Yew' } },
    })
    expect(paths['/trees'].post.responses[201].content['application/json'].examples.example.value).toEqual({ message: 'Planted.' })
    expect(paths['/trees/{id}'].get.parameters[0].example).toBe(7)
  })
  test('must have a unique path and method', () => {
    expect(() => documentOf({ read, again: read })).toThrow('two operations are GET /trees/{id}')
  })
})
