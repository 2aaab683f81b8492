import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { type OpenapiDocument, openapiDocument } from '../openapi.ts'
import { OTHERWISE } from './nulls.ts'

const document = openapiDocument('https://community.example/api/v2')
const copy = () => structuredClone(document)

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Values that are data and contain no schemas. */
const DATA = new Set(['example', 'examples', 'default', 'enum'])

/** The parameters, fields and tags below a node that have no description. A field with one possible value needs none. */
const undescribed = function* (node: unknown, path: string): Generator<string> {
  if (!isNode(node)) return
  const { name, in: where, description } = node
  if (typeof name === 'string' && typeof where === 'string' && !description) yield `${path}: parameter ${name}`
  for (const [key, value] of Object.entries(node)) {
    if (DATA.has(key)) continue
    if (key === 'properties' && isNode(value))
      for (const [field, schema] of Object.entries(value)) {
        if (isNode(schema) && !schema['description'] && !('const' in schema)) yield `${path}: field ${field}`
      }
    yield* undescribed(value, `${path}/${key}`)
  }
}

/** Fields that narrow the error schema for an operation repeat no descriptions. */
const withoutErrors = ({ paths, components, ...rest }: OpenapiDocument) => {
  const { responses: _shared, ...others } = components
  const kept = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, { responses, ...operation }]) => [
        method,
        { ...operation, responses: Object.fromEntries(Object.entries(responses as Node).filter(([status]) => status.startsWith('2'))) },
      ]),
    ),
  ])
  return { ...rest, components: others, paths: Object.fromEntries(kept) }
}

const missing = (api: OpenapiDocument) => [
  ...undescribed(withoutErrors(api), '#'),
  ...api.tags.filter(({ description }) => !description).map(({ name }) => `tag ${name}`),
]

describe('descriptions', () => {
  test('exist for every parameter, field and tag', () => {
    expect(missing(document)).toEqual([])
  })
  test.each<[name: string, remove: (api: OpenapiDocument) => unknown, found: string]>([
    ['parameter', (api) => api.paths['/feeds']?.['get']?.['parameters'], '#/paths//feeds/get/parameters/0: parameter page'],
    ['field', (api) => Object.values(api.components['schemas']?.['Feed']?.['properties'] as Node), '#/components/schemas/Feed: field id'],
    ['tag', (api) => api.tags, 'tag account'],
  ])('a missing one of a %s is found', (_name, nodes, found) => {
    const api = copy()
    const [first] = nodes(api) as { description?: string }[]
    delete first?.description
    expect(missing(api)).toEqual([found])
  })
  test('are sentences', () => {
    const texts = [
      ...JSON.stringify(withoutErrors(document)).matchAll(
        /"name":"[^"]+","in":"[a-z]+",(?:"required":true,)?"description":"((?:[^"\\]|\\.)*)"/g,
      ),
    ]
    expect(texts.length).toBeGreaterThan(300)
    expect(texts.map(([, text = '']) => text).filter((text) => !/^[A-Z`].*[.”]$/.test(text))).toEqual([])
  })
})

test('every tag belongs to one group of the reference', () => {
  const grouped = document['x-tagGroups'].flatMap(({ tags }) => tags as string[])
  expect(grouped.toSorted()).toEqual(document.tags.map(({ name }) => name).toSorted())
})

test.each([
  ['https://community.example/api/v2', { url: 'https://community.example/api/v2' }],
  ['/api/v2', { url: 'https://{host}/api/v2', variables: { host: { default: 'community.example' } } }],
])('the server of %s is absolute', (root, server) => {
  expect(openapiDocument(root).servers).toMatchObject([server])
})

describe('the recommended rules of Redocly', () => {
  const problemsOf = async (api: unknown) => {
    // `/spaces/space_groups/{group_id}` and `/spaces/{space_slug}/…`: the server prefers the literal part, and paths are stable.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } })
    const problems = await lintFromString({ source: JSON.stringify(api), config })
    return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
  }
  test('hold', { timeout: 120_000 }, async () => {
    expect(await problemsOf(document)).toEqual([])
  })
  test('find a mistake', async () => {
    const { paths: _paths, tags: _tags, webhooks: _webhooks, ...rest } = document
    const paths = { '/thing': { get: { responses: { 200: { description: 'Success' } } } } }
    const problems = await problemsOf({ ...rest, paths, components: {} })
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(expect.arrayContaining(['operation-operationId', 'security-defined']))
  })
})

test('what is 0 instead of null is described so', () => {
  type Schema = { readonly properties?: Readonly<Record<string, { type?: unknown; description?: string }>> }
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>
  // Records of managers have no schema of their own.
  const stated = OTHERWISE.filter(([schema, , value]) => value.startsWith('0') && schema !== 'Manager')
  const found = stated.filter(([schema, field]) => {
    const { type, description = '' } = schemas[schema]?.properties?.[field] ?? {}
    return type === 'integer' && /\b0\b/.test(description)
  })
  expect(found).toEqual(stated)
})
