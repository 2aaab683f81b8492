import { type api, type BodyOf, defaultsOf, type Infer, SpaceSettings } from '@lyceum/contract'
import { invalidField } from '../../core/errors.ts'
import { checkAddress, checkDrawing } from '../../core/validate-text.ts'
import { cleanLinks } from './space-links.ts'

export type Settings = Infer<typeof SpaceSettings>
type SettingsInput = NonNullable<BodyOf<typeof api.spaces.create>['settings']>

/** The stored settings: only keys that were set, and the fields of extensions. */
type Stored = Partial<Settings> & { meta_settings?: Record<string, unknown> }

const DEFAULTS = defaultsOf(SpaceSettings) as unknown as Settings

const parse = (stored: string): Stored => (stored === '{}' ? {} : (JSON.parse(stored) as Stored))

export const readSettings = (stored: string): Settings => (stored === '{}' ? DEFAULTS : { ...DEFAULTS, ...parse(stored) })

export const readMetaSettings = (stored: string): Record<string, unknown> | null => parse(stored).meta_settings ?? null

/** Merges `input` into the stored settings by key. @throws invalid_url, invalid_data */
export const mergeSettings = (stored: string, input: SettingsInput): string => {
  checkAddress(input.og_image, 'settings.og_image')
  checkAddress(input.onboard_redirect_url, 'settings.onboard_redirect_url')
  checkDrawing(input.shape_svg, 'settings.shape_svg')
  const { links, ...rest } = input
  const merged: Stored = { ...parse(stored), ...rest, ...(links && { links: cleanLinks(links, 'settings.links') }) }
  // A space has either an emoji or an SVG shape: the one just set wins, the shape if both are set.
  if (input.shape_svg) merged.emoji = ''
  else if (input.emoji && merged.shape_svg) merged.shape_svg = ''
  if (merged.custom_lock_screen === 'redirect' && !merged.onboard_redirect_url) {
    throw invalidField('settings.onboard_redirect_url', 'is required for a redirect')
  }
  return JSON.stringify(merged)
}

/** Replaces the links in the stored settings. @throws invalid_url, invalid_data */
export const withLinks = (stored: string, links: NonNullable<SettingsInput['links']>): string =>
  JSON.stringify({ ...parse(stored), links: cleanLinks(links, 'links') })

/** Replaces the extension fields in the stored settings; null removes them. */
export const withMetaSettings = (stored: string, metaSettings: Record<string, unknown> | null): string => {
  const { meta_settings: _, ...rest } = parse(stored)
  return JSON.stringify(metaSettings ? { ...rest, meta_settings: metaSettings } : rest)
}
