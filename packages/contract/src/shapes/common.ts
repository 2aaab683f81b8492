import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { Type } from '../typebox.ts'

/** Largest id: 2^53 − 1, the largest integer that JSON numbers represent exactly. */
export const MAX_ID = Number.MAX_SAFE_INTEGER

export const Id = Type.Integer({ minimum: 1, maximum: MAX_ID })
/** The id of something that may not exist, where the API promises an integer. */
export const IdOrZero = Type.Integer({ minimum: 0, maximum: MAX_ID })
export const Count = Type.Integer({ minimum: 0 })

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export const Datetime = Type.String({
  title: 'Datetime',
  format: 'datetime',
  description: 'UTC, as YYYY-MM-DD HH:MM:SS.',
  examples: ['2026-11-20 09:30:00'],
})
/** Requests can also use the form with a T. */
export const DatetimeInput = Type.String({
  title: 'DatetimeInput',
  pattern: '^\\d{4}-\\d{2}-\\d{2}[ T]\\d{2}:\\d{2}:\\d{2}$',
  description: 'UTC, as YYYY-MM-DD HH:MM:SS or YYYY-MM-DDTHH:MM:SS.',
})

export const nullable = <S extends TSchema>(schema: S) => {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] }
  if (!type) throw new Error('nullable() needs a schema with a type')
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) })
}

/** A string enumeration. */
export const oneOf = <const V extends readonly string[]>(values: V, options: { default?: V[number]; description?: string } = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })

/** A boolean in requests, which can also be 0 or 1. */
export const FlagInput = Type.Unsafe<boolean | 0 | 1>({ type: ['boolean', 'integer'], enum: [true, false, 0, 1] })

/** Rejects an empty value and null like other invalid values. In other fields and parameters they mean that it is absent. */
export const explicit = <S extends TSchema>(schema: S): S => ({ ...schema, 'x-explicit': true }) as S

/** A free-form object, stored as sent. */
export const Anything = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

export const pathId = <N extends string>(name: N) => Type.Object({ [name]: Id } as Record<N, typeof Id>)

/** A schema with a title, which is a component of the OpenAPI document. */
export const named = <P extends TProperties>(name: string, properties: P): TObject<P> => Type.Object(properties, { title: name })

// ---- pages -------------------------------------------------------------------------------------------------

/** `page` and `per_page`, which is reduced to its maximum. */
export const paging = (perPage: number, maximum = 100) => ({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ID, default: 1 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum, default: perPage, 'x-clamp': true, 'x-explicit': true })),
})

export const Order = oneOf(['asc', 'desc'])

export const Pagination = named('Pagination', {
  total: Count,
  per_page: Count,
  current_page: Count,
  total_pages: Count,
})

/** `{data, meta}` */
export const listOf = <S extends TSchema>(item: S) => Type.Object({ data: Type.Array(item), meta: Pagination })

const PageLink = named('PageLink', { url: nullable(Type.String()), label: Type.String(), active: Type.Boolean() })

/** A page of a list with links to the other pages. */
export const paginatorOf = <S extends TSchema>(item: S) =>
  Type.Object({
    current_page: Count,
    data: Type.Array(item),
    first_page_url: Type.String(),
    from: nullable(Count),
    last_page: Count,
    last_page_url: Type.String(),
    links: Type.Array(PageLink, { description: 'Links to the pages of the list.' }),
    next_page_url: nullable(Type.String()),
    path: Type.String(),
    per_page: Count,
    prev_page_url: nullable(Type.String()),
    to: nullable(Count),
    total: Count,
  })

/** Filters a list by space, by id or slug. Both must name the same space. */
export const spaceFilter = (description: string) => ({
  space_id: Type.Optional(Type.Integer({ ...Id, description })),
  space: Type.Optional(Type.String({ maxLength: 200, description: 'The space by its slug, an alternative to `space_id`.' })),
})

/** Limits a list to what is new. */
export const newSince = (since: string, updated: string) => ({
  since: Type.Optional(Type.Unsafe<string>({ ...DatetimeInput, description: since })),
  updated_since: Type.Optional(Type.Unsafe<string>({ ...DatetimeInput, description: updated })),
})

// ---- responses ---------------------------------------------------------------------------------------------

export const Message = Type.Object({ message: Type.String() })
export const messageAnd = <S extends TSchema>(data: S) => Type.Object({ message: Type.String(), data })
export const dataOf = <S extends TSchema>(data: S) => Type.Object({ data })

export type Infer<S extends TSchema> = Static<S>
