import { ERRORS, type ErrorCode } from '@lyceum/contract'
import { type OpenapiDocument, openapiDocument } from '@lyceum/contract/openapi'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export type Node = { readonly [key: string]: unknown }

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Node
  readonly example?: unknown
}

export interface Operation {
  readonly id: string
  readonly group: string
  readonly method: string
  /** With parameters in braces. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Node | null
  /** The body is a multipart form with a file. */
  readonly multipart: boolean
  readonly bodyExamples: readonly unknown[]
  /** The success statuses (they share one schema) and a validator that returns null or the error. */
  readonly success: readonly number[]
  readonly checkSuccess: (body: unknown) => string | null
  /** Declared error codes by status. */
  readonly failures: ReadonlyMap<number, readonly string[]>
}

export interface Described {
  readonly document: OpenapiDocument
  readonly operations: readonly Operation[]
  /** Resolves a `$ref`. */
  resolve(schema: Node): Node
  /** The error in the body of a refused request, or null. */
  checkFailure(body: unknown, status: number): string | null
}

/** Oversized headers are refused before routing. */
const HEAD_TOO_LONG = 431

const part = (root: unknown, pointer: string): Node =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (node as Node)[name.replaceAll('~1', '/').replaceAll('~0', '~')], root) as Node

const known = new Map<string, Described>()

/**
 * The operations as the OpenAPI document describes them; the contract behind it is not used. Cached for the unchanged document, because
 * compiling the validators is slow.
 */
export const describeApi = (root: string, change?: (document: OpenapiDocument) => OpenapiDocument): Described => {
  if (change) return describe(root, change)
  const found = known.get(root) ?? describe(root, (same) => same)
  known.set(root, found)
  return found
}

const describe = (root: string, change: (document: OpenapiDocument) => OpenapiDocument): Described => {
  const document = change(JSON.parse(JSON.stringify(openapiDocument(root))) as OpenapiDocument)
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false, code: { optimize: false } })
  const resolve = (schema: Node): Node => (typeof schema['$ref'] === 'string' ? resolve(part(document, schema['$ref'])) : schema)
  // Shared schemas are compiled once; every reference points here.
  ajv.addSchema({ $id: 'shapes', components: document.components })
  const leading = (schema: Node): Node =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/components/', '"$ref":"shapes#/components/')) as Node
  const compile = (schema: Node): ((body: unknown) => string | null) => {
    let valid: ValidateFunction | undefined
    return (body) => {
      valid ??= ajv.compile(leading(schema))
      return valid(body) ? null : ajv.errorsText(valid.errors, { dataVar: 'body' })
    }
  }
  const schemaOf = (response: Node) => ((resolve(response)['content'] as Node)['application/json'] as Node)['schema'] as Node

  // A stream response does not end.
  const isStream = (node: Node) => JSON.stringify(node['responses']).includes('"text/event-stream"')
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, node]) => !isStream(node))
      .map(([method, node]): Operation => {
        const responses = Object.entries(node['responses'] as Record<string, Node>).map(
          ([status, response]) => [Number(status), response] as const,
        )
        const good = responses.filter(([status]) => status < 300)
        const codesOf = (response: Node) => {
          const [, narrowed] = schemaOf(response)['allOf'] as readonly [Node, { properties: { code: { enum: string[] } } }]
          return narrowed.properties.code.enum
        }
        const content = ((node['requestBody'] as Node | undefined)?.['content'] ?? {}) as Readonly<Record<string, Node>>
        const form = content['multipart/form-data']
        const body = content['application/json'] ?? form ?? null
        return {
          id: String(node['operationId']),
          group: String(node['operationId']).split('.', 1)[0] as string,
          method: method.toUpperCase(),
          path,
          parameters: ((node['parameters'] ?? []) as Node[]).filter((parameter) => parameter['in'] !== undefined) as unknown as Parameter[],
          body: body ? (body['schema'] as Node) : null,
          multipart: form !== undefined,
          bodyExamples: body ? Object.values((body['examples'] ?? {}) as Record<string, Node>).map((example) => example['value']) : [],
          success: good.map(([status]) => status),
          checkSuccess: compile(schemaOf(good[0]?.[1] as Node)),
          failures: new Map(responses.filter(([status]) => status >= 400).map(([status, response]) => [status, codesOf(response)])),
        }
      }),
  )

  const checkError = compile({ $ref: '#/components/schemas/Error' })
  return {
    document,
    operations,
    resolve,
    checkFailure: (body, status) => {
      const wrong = checkError(body)
      if (wrong) return wrong
      const { code, data } = body as { code: string; data: { status: number } }
      if (!Object.hasOwn(ERRORS, code)) return `the code ${code} is in no table`
      const [expected] = ERRORS[code as ErrorCode]
      if (status !== expected && status !== 401 && status !== HEAD_TOO_LONG) return `the code ${code} belongs to ${expected}`
      return data.status === status ? null : `data.status is ${data.status}`
    },
  }
}
