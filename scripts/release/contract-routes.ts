import { api, type Route } from '@lyceum/contract'
import type { Plugin } from 'rolldown'

const MODULE = '\0contract-routes'

/** The schema reduced to what the client reads: the names of its fields. */
const names = (schema: { readonly properties?: object }) =>
  schema.properties ? { properties: Object.fromEntries(Object.keys(schema.properties).map((name) => [name, 0])) } : {}

const reduced = ({ method, path, consumes, produces, query, body }: Route) => ({
  method,
  path,
  ...(consumes && { consumes }),
  ...(produces && { produces }),
  ...(query && { query: names(query) }),
  ...(body && { body: names(body) }),
})

/** Replaces the contract in the bundle of the client by its methods, paths and field names. */
export const contractRoutes = (): Plugin => ({
  name: 'contract-routes',
  resolveId: (id) => (id === '@lyceum/contract' ? MODULE : null),
  load: (id) => {
    if (id !== MODULE) return null
    const groups = Object.entries(api).map(([group, routes]) => [
      group,
      Object.fromEntries(Object.entries(routes as Readonly<Record<string, Route>>).map(([name, route]) => [name, reduced(route)])),
    ])
    return `export const api = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(groups)))})`
  },
})
