import { Ajv } from 'ajv'
import type { TObject } from 'typebox'
import { isHttpUrl } from '../../content/url.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { isMailAddress } from '../../mail/transport.ts'
import { lazy } from '../../util/lazy.ts'
import { SITE_PATH } from './definitions.ts'

/** The JSON Schema keywords used here. */
interface Shape {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly default?: unknown
  readonly 'x-address'?: boolean
  readonly 'x-email'?: boolean
}
type Values = Readonly<Record<string, unknown>>

const isSwitch = ({ enum: values }: Shape) => values?.length === 2 && values.includes('yes') && values.includes('no')
const own = (values: unknown, name: string): unknown =>
  typeof values === 'object' && values !== null && Object.hasOwn(values, name) ? (values as Values)[name] : undefined

/** Merges the given values into the present ones by property; arrays and free-form maps are replaced. */
const merged = (shape: Shape, before: unknown, given: unknown): unknown => {
  if (shape.properties) {
    const members = Object.entries(shape.properties)
    return Object.fromEntries(members.map(([name, member]) => [name, merged(member, own(before, name), own(given, name))]))
  }
  if (given === undefined) return before === undefined ? shape.default : before
  const { items } = shape
  if (items) return Array.isArray(given) ? given.map((item) => merged(items, undefined, item)) : given
  return isSwitch(shape) && typeof given !== 'string' ? (given ? 'yes' : 'no') : given
}

const checkLeaf = (shape: Shape, value: unknown, field: string) => {
  if (typeof value !== 'string' || value === '') return
  if (shape['x-address'] && !isHttpUrl(value) && !SITE_PATH.test(value)) throw new ApiError('invalid_url', { data: { field } })
  if (shape['x-email'] && !isMailAddress(value)) throw invalidField(field, 'must be an email address or empty')
}

/** @throws invalid_url, invalid_data */
const check = (shape: Shape, value: unknown, field = ''): void => {
  const below = (name: string | number) => (field ? `${field}.${name}` : String(name))
  if (shape.properties) for (const [name, member] of Object.entries(shape.properties)) check(member, own(value, name), below(name))
  else if (shape.items && Array.isArray(value)) for (const [i, item] of value.entries()) check(shape.items, item, below(i))
  else checkLeaf(shape, value, field)
}

const ajv = lazy(() => new Ajv({ strict: false }))

/** Reads and merges the values of a settings page. */
export const pageValues = (page: TObject) => {
  const shape = page as unknown as Shape
  const validator = lazy(() => ajv().compile(page))
  const defaults = merged(shape, undefined, undefined) as Values
  return {
    /** A value that is invalid in this version, e.g. because another version stored it, counts as not set. */
    read: (stored: string | undefined): Values => {
      if (stored === undefined) return defaults
      const values = merged(shape, JSON.parse(stored), undefined) as Values
      return validator()(values) ? values : defaults
    },
    /** @throws invalid_url, invalid_data */
    merge: (before: Values, given: unknown): Values => {
      const values = merged(shape, before, given) as Values
      check(shape, values)
      return values
    },
  }
}
