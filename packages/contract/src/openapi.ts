import manifest from '../package.json' with { type: 'json' }
import { api } from './api.ts'
import { errorExamples, sharedResponses } from './openapi/error-responses.ts'
import { type Examples, examples as recorded } from './openapi/examples.ts'
import { DESCRIPTION, ERROR_SCHEMA, HEADERS, PARAMETERS, SECURITY_SCHEMES, tagOf } from './openapi/info.ts'
import { nullTable } from './openapi/nulls.ts'
import { operation } from './openapi/operation.ts'
import { createComponents, type Node } from './openapi/schemas.ts'
import { webhookMessages } from './openapi/webhooks.ts'
import type { Routes } from './route.ts'

export { failuresOf, STATUS_TITLES } from './openapi/error-responses.ts'
export type { Example, Examples } from './openapi/examples.ts'

export interface OpenapiOptions {
  /** What the document describes; the whole API unless a test says otherwise. */
  readonly groups?: { readonly [group: string]: Routes }
  readonly examples?: Examples
}

export interface OpenapiDocument {
  readonly openapi: string
  readonly info: Node
  readonly servers: readonly Node[]
  readonly tags: readonly Node[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: Node } }
  /** What is sent to other systems. */
  readonly webhooks?: { readonly [event: string]: Node }
  readonly components: { readonly [kind: string]: { readonly [name: string]: Node } }
}

/** The OpenAPI 3.1 document of the API below `root`, a path such as `/api/v2` or a full address. */
export const openapiDocument = (root: string, { groups = api, examples = recorded }: OpenapiOptions = {}): OpenapiDocument => {
  const components = createComponents()
  const paths: Record<string, Record<string, Node>> = {}
  for (const [group, routes] of Object.entries(groups)) {
    for (const [name, route] of Object.entries(routes as Routes)) {
      const methods = paths[route.path] ?? {}
      paths[route.path] = methods
      const method = route.method.toLowerCase()
      if (methods[method]) throw new Error(`two operations are ${route.method} ${route.path}`)
      methods[method] = operation(group, name, route, components, examples[`${group}.${name}`] ?? [])
    }
  }
  const webhooks = Object.hasOwn(groups, 'webhooks') && webhookMessages(components)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lyceum',
      version: manifest.version,
      description: `${DESCRIPTION}\n\n${nullTable(components.all())}`,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: root }],
    tags: Object.keys(groups).map(tagOf),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: { Error: ERROR_SCHEMA, ...components.all() },
      responses: sharedResponses() as Record<string, Node>,
      parameters: PARAMETERS as Record<string, Node>,
      examples: errorExamples(),
      headers: HEADERS as Record<string, Node>,
      securitySchemes: SECURITY_SCHEMES as Record<string, Node>,
    },
  }
}
