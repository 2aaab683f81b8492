import { api } from '@lyceum/contract'
import type { Plugin } from 'vite'

interface Full {
  readonly method: string
  readonly path: string
  readonly consumes?: string
  readonly produces?: string
  readonly query?: { readonly properties?: object }
  readonly body?: { readonly properties?: object }
}

const named = (schema: Full['query']) => ({
  properties: Object.fromEntries(Object.keys(schema?.properties ?? {}).map((name) => [name, 0])),
})

const slim = ({ method, path, consumes, produces, query, body }: Full) => {
  // Names matter where a member could belong elsewhere.
  const part = consumes === 'multipart' || (query && body) ? named : () => ({})
  return {
    method,
    path,
    ...(consumes && { consumes }),
    ...(produces && { produces }),
    ...(query && { query: part(query) }),
    ...(body && { body: part(body) }),
  }
}

const MODULE = '\0slim-contract'

/**
 * What the client needs of the contract in a browser: methods and paths, and names of members where they matter. The schemas, texts and examples, thirty times as much,
 * stay behind; types are taken from the whole contract all the same.
 */
export const slimContract = (): Plugin => ({
  name: 'slim-contract',
  enforce: 'pre',
  resolveId: (id) => (id === '@lyceum/contract' ? MODULE : null),
  load: (id) => {
    if (id !== MODULE) return null
    const groups = Object.entries(api).map(([group, routes]) => [
      group,
      Object.fromEntries(Object.entries(routes as Record<string, Full>).map(([name, route]) => [name, slim(route)])),
    ])
    return `export const api = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(groups)))})`
  },
})
