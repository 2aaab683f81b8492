import { api, ERRORS, type Route } from '@lyceum/contract'
import { openapiDocument } from '@lyceum/contract/openapi'
import { comment, fields, type Schema, typeOf } from './schema-types.ts'

interface Parameter {
  readonly name?: string
  readonly in?: string
  readonly description?: string
  readonly required?: boolean
  readonly schema?: Schema
}
type Content = { readonly content?: { readonly [type: string]: { readonly schema: Schema } } }

interface Operation {
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: { readonly [status: string]: Content }
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const schemaOf = ({ content = {} }: Content, type: string): Schema | undefined => content[type]?.schema

/** The input of the method: path, query and body fields in one object. */
const inputOf = (route: Route, operation: Operation): ObjectSchema => {
  const sent = (operation.parameters ?? []).flatMap(({ name, in: place, ...rest }) =>
    name && place !== 'header' ? [{ name, ...rest }] : [],
  )
  const multipart = route.consumes === 'multipart'
  const body = (operation.requestBody && schemaOf(operation.requestBody, multipart ? 'multipart/form-data' : 'application/json')) as
    | ObjectSchema
    | undefined
  const filename = { type: 'string', description: 'Name of the file; default: the name of a `File`.' }
  return {
    properties: {
      ...Object.fromEntries(sent.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }])),
      ...body?.properties,
      ...(multipart && { filename }),
    },
    required: [...sent.flatMap(({ name, required }) => (required ? [name] : [])), ...(body?.required ?? [])],
  }
}

const answerOf = (route: Route, { responses }: Operation): string => {
  const type = route.produces === 'events' ? 'text/event-stream' : 'application/json'
  const schemas = Object.entries(responses).flatMap(([status, response]) => {
    const schema = status.startsWith('2') ? schemaOf(response, type) : undefined
    return schema ? [typeOf(schema, '    ')] : []
  })
  return [...new Set(schemas)].join(' | ')
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

const documentationOf = (route: Route, { summary, description }: Operation, input: ObjectSchema): string => {
  const parameters = Object.entries(input.properties ?? {}).map(([name, field]) => {
    const path = /^\w+$/.test(name) ? `input.${name}` : `input["${name}"]`
    const text = typeof field['description'] === 'string' ? ` - ${oneLine(field['description'])}` : ''
    return `@param ${input.required?.includes(name) ? path : `[${path}]`}${text}`
  })
  return comment('    ', `${summary}.`, description, `\`${route.method} ${route.path}\``, parameters.join('\n'))
}

/** Declarations of the operations, their inputs and their responses, without the schemas of the contract. */
export const apiDeclarations = (): string => {
  const { components, paths } = openapiDocument('/api/v2', { examples: {} })
  const types = Object.entries(components['schemas'] ?? {}).map(([name, schema]) => {
    const { properties, required = [], description, additionalProperties } = schema
    const documentation = comment('', description as string | undefined)
    if (!properties || additionalProperties) return `${documentation}export type ${name} = ${typeOf(schema)}\n`
    return `${documentation}export interface ${name} {\n${fields(properties as Record<string, Schema>, required as string[], '  ')}}\n`
  })
  const inputs: string[] = []
  const answers: string[] = []
  const methods: string[] = []
  for (const [group, routes] of Object.entries(api)) {
    inputs.push(`  ${group}: {`)
    answers.push(`  ${group}: {`)
    methods.push(`  readonly ${group}: {`)
    for (const [name, route] of Object.entries(routes as Readonly<Record<string, Route>>)) {
      const operation = paths[route.path]?.[route.method.toLowerCase()] as unknown as Operation
      const input = inputOf(route, operation)
      inputs.push(`    ${name}: ${typeOf({ type: 'object', ...input }, '    ')}`)
      answers.push(`    ${name}: ${answerOf(route, operation)}`)
      const kind = route.produces === 'events' ? 'Listen' : 'Call'
      methods.push(
        `${documentationOf(route, operation, input)}    readonly ${name}: ${kind}<Inputs['${group}']['${name}'], Answers['${group}']['${name}']>`,
      )
    }
    for (const lines of [inputs, answers, methods]) lines.push('  }')
  }
  const codes = Object.keys(ERRORS).map((code) => `  | '${code}'`)
  return `import type { Call, Listen } from './methods.js'

/** Codes of errors. */
export type ErrorCode =
${codes.join('\n')}

${types.join('\n')}
/** Inputs of the operations, such as \`Inputs['feeds']['create']\`. */
export interface Inputs {
${inputs.join('\n')}
}

/** Response bodies of the operations, such as \`Answers['feeds']['list']\`. */
export interface Answers {
${answers.join('\n')}
}

/** A method for each operation: \`client.feeds.create({ message: 'Hello' })\`. The input combines path, query and body fields. */
export interface Client {
${methods.join('\n')}
}
`
}
