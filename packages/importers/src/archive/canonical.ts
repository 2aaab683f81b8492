import { type ArchiveKind, archiveRecords } from '@lyceum/contract/archive'

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
}

const ordered = (value: unknown, schema: Node | undefined): unknown => {
  if (Array.isArray(value)) return value.map((item) => ordered(item, schema?.items))
  if (value === null || typeof value !== 'object') return value
  const { properties = {} } = schema ?? {}
  const has = (key: string) => Object.hasOwn(value, key)
  const others = Object.keys(value).filter((key) => !Object.hasOwn(properties, key))
  const keys = [...Object.keys(properties).filter(has), ...others.sort()]
  return Object.fromEntries(keys.map((key) => [key, ordered((value as Record<string, unknown>)[key], properties[key])]))
}

/** The line of a record: declared keys in the order of the schema, others sorted, so that equal records have equal lines. */
export const lineOf = (kind: ArchiveKind, record: object): string =>
  `${JSON.stringify(ordered(record, archiveRecords[kind] as unknown as Node))}\n`
