import type { Node } from './schemas.ts'

export interface OpenapiDocument {
  readonly openapi: string
  readonly info: Node
  readonly externalDocs: Node
  readonly servers: readonly Node[]
  readonly tags: readonly Node[]
  readonly 'x-tagGroups': readonly Node[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: Node } }
  /** Deliveries to webhooks. */
  readonly webhooks?: { readonly [event: string]: Node }
  readonly components: { readonly [kind: string]: { readonly [name: string]: Node } }
}
