import { type api, type BodyOf, FEATURES, type Feature } from '@lyceum/contract'
import type { Services, WriteRequest } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { decrypt, encrypt } from '../../secrets/encryption.ts'
import { readSetting, readSettings, resetSettings, rowOf, type SettingChanges, saveSettings, storeRow } from './repository.ts'
import { settingsChanged } from './settings-by-key.ts'

/** Stored outside the settings, so that no listing of settings can reveal it. */
const KEY = 'gif_api_key'

type Body = BodyOf<typeof api.settings.saveFeatures>

/** The settings of the GIF search, including the decrypted API key, which is empty if it is not set. */
export const gifSettings = async (db: Db, { keys }: Pick<Services, 'keys'>) => {
  const [{ features, gif_rating, gif_language }, stored] = await Promise.all([
    readSettings(db, ['features', 'gif_rating', 'gif_language']),
    rowOf(db, KEY),
  ])
  const apiKey = stored ? (decrypt(keys.encryption, JSON.parse(stored) as string, KEY) ?? '') : ''
  return { enabled: features.gif, apiKey, rating: gif_rating, language: gif_language }
}

export const viewFeatures = async (db: Db, services: Pick<Services, 'keys'>) => {
  const [features, { enabled, apiKey, rating, language }] = await Promise.all([readSetting(db, 'features'), gifSettings(db, services)])
  return { ...features, gif_enabled: enabled, gif_rating: rating, gif_language: language, gif_api_key_set: apiKey !== '' }
}

/**
 * A flag can be sent under two names. The name with a changed value counts, so that a client can send back a whole response with one of
 * them changed.
 */
const wanted = (present: boolean, ...given: readonly (boolean | 0 | 1 | undefined)[]): boolean =>
  given.some((value) => value !== undefined && Boolean(value) !== present) ? !present : present

/** Saves the flags in a body, given directly or in `features`; the former take precedence. */
export const saveFeatures = async (ctx: WriteRequest, { features: nested = {}, ...flat }: Body): Promise<void> => {
  const given = { ...nested, ...flat }
  const before = await viewFeatures(ctx.db, ctx.services)
  const switches = Object.fromEntries(
    FEATURES.map((name) => [name, wanted(before[name], given[name], ...(name === 'gif' ? [given.gif_enabled] : []))] as const),
  ) as Record<Feature, boolean>
  const changed = FEATURES.filter((name) => switches[name] !== before[name])
  const { gif_rating = before.gif_rating, gif_language = before.gif_language } = given
  const changes: SettingChanges = {
    ...(changed.length > 0 && { features: Object.fromEntries(changed.map((name) => [name, switches[name]])) }),
    ...(gif_rating !== before.gif_rating && { gif_rating }),
    ...(gif_language !== before.gif_language && { gif_language }),
  }
  const key = given.gif_api_key?.trim()
  if (Object.keys(changes).length === 0 && key === undefined) return
  await saveSettings(ctx, changes)
  if (key) await storeRow(ctx.db, [KEY, JSON.stringify(encrypt(ctx.services.keys.encryption, key, KEY)), ctx.now])
  else if (key === '') await resetSettings(ctx.db, [KEY])
  const details = { ...changes, ...(key !== undefined && { gif_api_key: key === '' ? 'removed' : 'set' }) }
  await settingsChanged(ctx, details, 'features.changed')
}
