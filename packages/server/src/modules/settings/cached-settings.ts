import type { Feature, SettingValue } from '@lyceum/contract'
import { type CacheContext, cached, defineCache, type Track } from '../../cache/index.ts'
import type { Database } from '../../db/index.ts'
import type { Limits } from '../../limits/budgets.ts'
import type { SettingKey } from './definitions.ts'
import { readSetting } from './repository.ts'

const settings = defineCache<unknown>({ name: 'settings', maxEntries: 20 })

/** What is derived from settings, cached until one of them changes. */
export const cachedFromSettings = <T>(ctx: CacheContext, name: string, load: (track: Track) => Promise<T>): T | Promise<T> =>
  cached(ctx, settings, name, load) as T | Promise<T>

/** A setting as it is committed, cached until it changes. */
export const cachedSetting = <K extends SettingKey>(
  ctx: CacheContext,
  database: Database,
  key: K,
): SettingValue<K> | Promise<SettingValue<K>> =>
  cachedFromSettings(ctx, key, (track) => {
    track.tag(`setting:${key}`)
    return readSetting(database.read, key)
  })

export const isFeatureOn = async (ctx: CacheContext & { readonly services: { readonly database: Database } }, feature: Feature) =>
  (await cachedSetting(ctx, ctx.services.database, 'features'))[feature]

export const limitsReader =
  (database: Database, caches: CacheContext['services']['caches']) =>
  (snapshot: CacheContext['snapshot']): Limits | Promise<Limits> =>
    cachedSetting({ services: { caches }, snapshot }, database, 'limits')
