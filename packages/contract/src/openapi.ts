import manifest from '../package.json' with { type: 'json' }
import { api } from './api.ts'
import type { ErrorCode } from './errors.ts'
import type { OpenapiDocument } from './openapi/document.ts'
import { errorExamples, failuresOf, sharedResponses } from './openapi/error-responses.ts'
import { type Examples, examples as recorded } from './openapi/examples.ts'
import { DESCRIPTION, ERROR_SCHEMA, guidesOf, HEADERS, PARAMETERS, SECURITY_SCHEMES, serverOf, tagGroupsOf, tagOf } from './openapi/info.ts'
import { nullTable } from './openapi/nulls.ts'
import { operation } from './openapi/operation.ts'
import { createComponents, type Node } from './openapi/schemas.ts'
import { webhookMessages } from './openapi/webhooks.ts'
import type { Routes } from './route.ts'

export type { OpenapiDocument } from './openapi/document.ts'
export { failuresOf, STATUS_TITLES, UNAUTHORIZED } from './openapi/error-responses.ts'
export type { Example, Examples } from './openapi/examples.ts'
export { openapiPart } from './openapi/part.ts'

export interface OpenapiOptions {
  /** Groups of operations; default: the whole API. */
  readonly groups?: { readonly [group: string]: Routes }
  readonly examples?: Examples
}

/** The OpenAPI 3.1 document of the API at `root`, a path such as `/api/v2` or a URL. */
export const openapiDocument = (root: string, { groups = api, examples = recorded }: OpenapiOptions = {}): OpenapiDocument => {
  const components = createComponents()
  const paths: Record<string, Record<string, Node>> = {}
  const codes = new Set<ErrorCode>()
  for (const [group, routes] of Object.entries(groups)) {
    for (const [name, route] of Object.entries(routes as Routes)) {
      const methods = paths[route.path] ?? {}
      paths[route.path] = methods
      const method = route.method.toLowerCase()
      if (methods[method]) throw new Error(`two operations are ${route.method} ${route.path}`)
      for (const code of [...failuresOf(route).values()].flat()) codes.add(code)
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
    externalDocs: guidesOf(manifest.version),
    servers: [serverOf(root)],
    tags: Object.keys(groups).map(tagOf),
    'x-tagGroups': tagGroupsOf(Object.keys(groups)),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: { Error: ERROR_SCHEMA, ...components.all() },
      responses: sharedResponses() as Record<string, Node>,
      parameters: PARAMETERS as Record<string, Node>,
      examples: errorExamples(codes),
      headers: HEADERS as Record<string, Node>,
      securitySchemes: SECURITY_SCHEMES as Record<string, Node>,
    },
  }
}
