import { api, type Routes, WEBHOOK_EVENTS } from '@lyceum/contract'
import { openapiDocument } from '@lyceum/contract/openapi'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import examples from '../../contract/src/generated/examples.json' with { type: 'json' }

const document = openapiDocument('/api/v2')
const routes = new Map(
  Object.entries(api as Record<string, Routes>).flatMap(([group, list]) =>
    Object.entries(list).map(([name, route]) => [`${group}.${name}`, route]),
  ),
)

/** Every object of the document with its path. */
const walk = function* (node: unknown, path = '#'): Generator<[path: string, node: Record<string, unknown>]> {
  if (node === null || typeof node !== 'object') return
  if (!Array.isArray(node)) yield [path, node as Record<string, unknown>]
  for (const [key, value] of Object.entries(node)) yield* walk(value, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}
const nodes = new Map(walk(document))

test('is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>)
  expect(result.errors).toBeUndefined()
  expect(result.valid).toBe(true)
})

test('has one operation per route, with an id, a tag and a summary', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual([...routes.keys()].sort())
  const tags = new Set(document.tags.map(({ name }) => name))
  for (const { operationId, tags: own, summary } of operations)
    expect([operationId, tags.has((own as string[])[0]), Boolean(summary)]).toEqual([operationId, true, true])
})

test('documents the payload of every webhook event', () => {
  expect(Object.keys(document.webhooks ?? {})).toEqual([...WEBHOOK_EVENTS])
})

test('every reference resolves, and every component is referenced', () => {
  const refs = new Set([...nodes.values()].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])))
  expect([...refs].filter((ref) => !nodes.has(ref))).toEqual([])
  const parts = ['schemas', 'parameters', 'headers'].flatMap((kind) =>
    Object.keys(document.components[kind] ?? {}).map((name) => `#/components/${kind}/${name}`),
  )
  expect(parts.filter((part) => !refs.has(part))).toEqual([])
})

test('every schema is valid JSON Schema 2020-12, and every example matches its schema', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false })
  ajv.addSchema({ $id: 'https://lyceum.example/openapi', $defs: {}, components: { schemas: document.components.schemas } } as object)
  ajv.addVocabulary(['components'])
  // A file in a form: any bytes.
  ajv.addFormat('binary', true)
  // Compiling takes long, and thousands of responses have the same few schemas.
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  const problems: string[] = []
  for (const [path, node] of nodes) {
    const { schema, examples: named } = node as { schema?: object; examples?: Record<string, { value?: unknown; $ref?: string }> }
    if (!schema || path.includes('/schema/')) continue
    const own = JSON.stringify(schema).replaceAll('"#/components', '"https://lyceum.example/openapi#/components')
    const valid = compiled.get(own) ?? ajv.compile(JSON.parse(own))
    compiled.set(own, valid)
    const values = [...Object.entries(named ?? {}).map(([name, { value, $ref }]) => [name, $ref ? nodes.get($ref)?.value : value] as const)]
    if ('example' in node) values.push(['example', node.example])
    for (const [name, value] of values) if (!valid(value)) problems.push(`${path} ${name}: ${ajv.errorsText(valid.errors).slice(0, 200)}`)
  }
  // A field that a schema gains is missing in hundreds of examples.
  expect(problems.slice(0, 5), `of ${problems.length} problems; npm run examples records the examples again`).toEqual([])
})

test('the examples contain no secret', () => {
  const text = JSON.stringify(examples)
  expect(text).not.toMatch(/lyceum_session|Basic [A-Za-z0-9+/]{8}/)
})
