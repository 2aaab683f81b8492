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
import type { Static, TObject } from 'typebox'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Db } from '../../db/index.ts'
import type { SettingKey } from './definitions.ts'
import { pageValues } from './page-values.ts'
import { lockedRow, readSettings, rowOf, type SettingChanges, saveSettings, storeRow } from './repository.ts'
import { settingsChanged } from './settings-by-key.ts'

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

/**
 * Changes the given fields of a page.
 * @throws invalid_url, invalid_data
 */
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
