import type { OpenapiDocument } from './document.ts'
import type { Node } from './schemas.ts'

/** Kind and name of the components to which these nodes refer. */
const referencesIn = (nodes: unknown): (readonly [kind: string, name: string])[] =>
  [...JSON.stringify(nodes).matchAll(/"\$ref":"#\/components\/([^/"]+)\/([^/"]+)"/g)].map(([, kind = '', name = '']) => [kind, name])

/** The components to which these nodes refer, directly or through others, and all security schemes, which operations name without reference. */
const componentsOf = (nodes: unknown, { securitySchemes = {}, ...components }: OpenapiDocument['components']) => {
  const used: Record<string, Record<string, Node>> = { securitySchemes }
  const pending = referencesIn(nodes)
  for (let reference = pending.pop(); reference; reference = pending.pop()) {
    const [kind, name] = reference
    const component = components[kind]?.[name]
    const alike = used[kind] ?? {}
    if (!component || alike[name]) continue
    used[kind] = { ...alike, [name]: component }
    pending.push(...referencesIn(component))
  }
  return used
}

/**
 * The part of a document with the operations and webhooks of these tags, and the components that they use.
 * @throws RangeError if the document has no such tag
 */
export const openapiPart = (document: OpenapiDocument, tags: readonly string[]): OpenapiDocument => {
  const { webhooks: all = {}, ...rest } = document
  const known = new Set(document.tags.map(({ name }) => name))
  const unknown = tags.find((tag) => !known.has(tag))
  if (unknown !== undefined) throw new RangeError(`There is no tag ${JSON.stringify(unknown)}.`)
  const isTagged = (operation: unknown) => (operation as { tags: string[] }).tags.some((tag) => tags.includes(tag))
  const part = (paths: { readonly [path: string]: Node }) => {
    const cut = Object.entries(paths).map(
      ([path, all]) => [path, Object.fromEntries(Object.entries(all).filter(([, one]) => isTagged(one)))] as const,
    )
    return Object.fromEntries(cut.filter(([, operations]) => Object.keys(operations).length > 0)) as OpenapiDocument['paths']
  }
  const paths = part(document.paths)
  const webhooks = part(all)
  const groups = document['x-tagGroups'].map((group) => ({
    ...group,
    tags: (group['tags'] as string[]).filter((tag) => tags.includes(tag)),
  }))
  return {
    ...rest,
    tags: document.tags.filter(({ name }) => tags.includes(name as string)),
    'x-tagGroups': groups.filter((group) => group.tags.length > 0),
    paths,
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components: componentsOf([paths, webhooks], document.components),
  }
}
