import { isHttpUrl } from '@lyceum/content'
import { lazy } from '@lyceum/content/lazy'
import {
  AuthPage,
  ColorPage,
  CustomizationPage,
  EmailPage,
  GeneralPage,
  MailTextsPage,
  MenuPage,
  PrivacyPage,
  SnippetsPage,
  WelcomeBannerPage,
} from '@lyceum/contract'
import { isMailAddress } from '@lyceum/mail/transport'
import { Ajv } from 'ajv'
import type { Static, TObject } from 'typebox'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import type { Db } from '../../db/index.ts'
import { type SettingKey, SITE_PATH } from './definitions.ts'
import { lockedRow, readSettings, rowOf, type SettingChanges, saveSettings, storeRow } from './repository.ts'
import { settingsChanged } from './settings-by-key.ts'

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

const pageValues = (page: TObject) => {
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

/** A settings page: its schema, and the fields that are stored as settings of their own, so that each value is stored once. */
const page = <S extends TObject>(shape: S, settings: { readonly [F in keyof Static<S> & string]?: SettingKey } = {}) => ({
  shape,
  settings: settings as Readonly<Record<string, SettingKey>>,
  ...pageValues(shape),
})

/** A new page takes an entry here, and its schema and path in the contract. */
export const PAGES = {
  general: page(GeneralPage, {
    site_title: 'site_name',
    site_description: 'site_description',
    logo: 'logo_url',
    favicon: 'favicon_url',
  }),
  email: page(EmailPage, { send_from_name: 'from_name', send_from_email: 'from_email', digest_frequency: 'digest_frequency' }),
  mailTexts: page(MailTextsPage),
  banner: page(WelcomeBannerPage),
  auth: page(AuthPage),
  menu: page(MenuPage),
  customization: page(CustomizationPage),
  colors: page(ColorPage),
  privacy: page(PrivacyPage),
  snippets: page(SnippetsPage, { custom_css: 'custom_css' }),
} as const

export type PageName = keyof typeof PAGES
export type PageOf<N extends PageName> = Static<(typeof PAGES)[N]['shape']>

const rowKey = (name: PageName) => `page_${name}`
const linked = (name: PageName) => Object.entries(PAGES[name].settings)

/** A page with defaults filled in. Not cached, so that a change is effective on every instance immediately. */
export const readPage = async <N extends PageName>(db: Db, name: N): Promise<PageOf<N>> => {
  const links = linked(name)
  const [stored, settings] = await Promise.all([
    rowOf(db, rowKey(name)),
    links.length > 0
      ? readSettings(
          db,
          links.map(([, key]) => key),
        )
      : null,
  ])
  const values = PAGES[name].read(stored)
  if (!settings) return values as PageOf<N>
  return { ...values, ...Object.fromEntries(links.map(([field, key]) => [field, settings[key]])) } as PageOf<N>
}

/** @throws invalid_url, invalid_data */
export const savePage = async (ctx: WriteRequest, name: PageName, given: Readonly<Record<string, unknown>>): Promise<void> => {
  const { read, merge } = PAGES[name]
  const fields = Object.keys(given).filter((field) => Object.hasOwn(PAGES[name].shape.properties, field))
  if (fields.length === 0) return
  const stored = await lockedRow(ctx.db, rowKey(name), ctx.now)
  await storeRow(ctx.db, [rowKey(name), JSON.stringify(merge(read(stored), given)), ctx.now])
  const links = linked(name).filter(([field]) => Object.hasOwn(given, field))
  if (links.length > 0) {
    const changes = Object.fromEntries(links.map(([field, key]) => [key, given[field]])) as SettingChanges
    await saveSettings(ctx, changes, (problems) => {
      const errors = Object.fromEntries(links.flatMap(([field, key]) => (problems[key] === undefined ? [] : [[field, problems[key]]])))
      return new ApiError('invalid_data', { data: { errors } })
    })
  }
  await settingsChanged(ctx, { page: name, fields })
}
