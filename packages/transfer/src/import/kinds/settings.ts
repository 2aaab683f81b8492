import { conforms } from '@lyceum/importers/check-record'
import type { TSchema } from 'typebox'

type Values = Readonly<Record<string, unknown>>
interface ObjectSchema {
  readonly properties: Readonly<Record<string, TSchema>>
}

/** The settings that the API accepts. */
export const validSettings = (schema: ObjectSchema, given: Values | undefined, notes: string[]): Record<string, unknown> => {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given ?? {})) {
    const property = schema.properties[name]
    if (property !== undefined && conforms(property, value)) kept[name] = value
    else if (property !== undefined) notes.push(`its setting ${name} was dropped: the value is not valid`)
  }
  return kept
}
