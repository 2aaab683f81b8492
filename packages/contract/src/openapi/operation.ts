import type { TSchema } from 'typebox'
import type { Access, Route } from '../route.ts'
import type { Scope } from './descriptions.ts'
import { failureResponses, headersOf, isRepeatable } from './error-responses.ts'
import type { Example } from './examples.ts'
import type { Components, Node } from './schemas.ts'

const accessText = (access: Access): string => {
  if (access === 'public') return 'Needs no credentials.'
  if (access === 'member') return ''
  return access === 'admin' ? '**Administrators only.**' : `**Needs the permission \`${access}\`.**`
}

const wrapperText = ({ wrapper }: Route): string =>
  wrapper === undefined ? '' : `The fields of the body can also be sent in an object \`${wrapper}\`.`

const security = (route: Route): Node[] => {
  if (route.access === 'public') return []
  return [{ basic: [] }, route.method === 'GET' ? { session: [] } : { session: [], nonce: [] }]
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Recorded examples without a label are numbered. */
const labelOf = ({ label }: Example, index: number) => label ?? (index === 0 ? 'Example' : `Example ${index + 1}`)

const keyOf = (label: string) => label.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const examplesOf = (list: readonly Example[], pick: (example: Example) => unknown): Node => {
  const given = list
    .map((example, index) => ({ label: labelOf(example, index), value: pick(example) }))
    .filter(({ value }) => value !== undefined)
  return given.length > 0
    ? { examples: Object.fromEntries(given.map(({ label, value }) => [keyOf(label), { summary: capitalized(label), value }])) }
    : {}
}

type Where = 'path' | 'query'

const parametersOf = (
  where: Where,
  schema: TSchema | undefined,
  components: Components,
  scope: Scope,
  examples: readonly Example[],
): Node[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Record<string, TSchema>; required?: readonly string[] }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = components.field(name, property, scope)
    const value = (where === 'path' ? examples[0]?.params : examples[0]?.query)?.[name]
    return {
      name,
      in: where,
      ...(where === 'path' || required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(value === undefined ? {} : { example: value }),
    }
  })
}

/** The body of an upload: its text fields and the file, which examples represent by a placeholder. */
const formOf = (route: Route, components: Components, scope: Scope, examples: readonly Example[]): Node => {
  const { properties = {}, required = [] } = (route.body ? components.place(route.body, scope) : {}) as {
    properties?: Node
    required?: string[]
  }
  const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream', description: 'The file to upload.' }
  return {
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: { type: 'object', properties: { file, ...properties }, required: ['file', ...required] },
          ...examplesOf(examples, (example) => ({ file: '(bytes)', ...(example.body as object | undefined) })),
        },
      },
    },
  }
}

const bodyOf = (route: Route, components: Components, scope: Scope, examples: readonly Example[]): Node => {
  if (route.consumes === 'multipart') return formOf(route, components, scope, examples)
  if (!route.body) return {}
  const { required = [] } = route.body as { required?: readonly string[] }
  return {
    requestBody: {
      required: required.length > 0,
      content: { 'application/json': { schema: components.place(route.body, scope), ...examplesOf(examples, (example) => example.body) } },
    },
  }
}

/** Whether responses have an ETag. */
const isTagged = ({ method, secret, produces }: Route) => method === 'GET' && !secret && produces !== 'events'

/** Whether responses link to the other pages. */
const hasPages = ({ query, response }: Route) =>
  Object.hasOwn(query?.properties ?? {}, 'page') && JSON.stringify(response).includes('"total":')

const NOT_MODIFIED: Node = { 304: { description: 'Not modified', headers: headersOf('ETag') } }

const success = (route: Route, status: number, components: Components, scope: Scope, examples: readonly Example[]): Node => ({
  description: status === 201 ? 'Created' : 'Success',
  headers: headersOf(
    ...(isTagged(route) ? ['ETag'] : []),
    ...(hasPages(route) ? ['Link'] : []),
    ...(route.body ? ['X-Lyceum-Unknown-Fields'] : []),
    ...(isRepeatable(route) ? ['Idempotency-Replayed'] : []),
  ),
  content: {
    [route.produces === 'events' ? 'text/event-stream' : 'application/json']: {
      schema: components.place(route.response, scope),
      ...examplesOf(examples, (example) => example.response),
    },
    ...(route.csv === undefined
      ? {}
      : { 'text/csv': { schema: { type: 'string', description: 'The same data as a table with a header row.' } } }),
  },
})

/** The success responses of an operation by status, each with its examples. */
const successes = (route: Route, components: Components, scope: Scope, examples: readonly Example[]): Node => {
  const { status = 200, alternateStatus } = route
  if (!alternateStatus) return { [status]: success(route, status, components, scope, examples) }
  const examplesWith = (code: number) => examples.filter((example) => example.status === code)
  return Object.fromEntries([alternateStatus, status].map((code) => [code, success(route, code, components, scope, examplesWith(code))]))
}

/** One operation of the document. */
export const operation = (group: string, name: string, route: Route, components: Components, examples: readonly Example[]): Node => {
  const description = [accessText(route.access), route.description, wrapperText(route)].filter(Boolean).join('\n\n')
  const scope = [group, `${group}.${name}`]
  const parameters = [
    ...parametersOf('path', route.params, components, scope, examples),
    ...parametersOf('query', route.query, components, scope, examples),
    ...(isRepeatable(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary: route.summary,
    ...(description ? { description } : {}),
    security: security(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(route, components, scope, examples),
    responses: { ...successes(route, components, scope, examples), ...(isTagged(route) ? NOT_MODIFIED : {}), ...failureResponses(route) },
  }
}
