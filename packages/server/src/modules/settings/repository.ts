import { lazy } from '@lyceum/content/lazy'
import { type Feature, SETTING_SCHEMAS, SETTINGS, type SettingValue } from '@lyceum/contract'
import { Ajv } from 'ajv'
import type { WriteContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, statement, statementIn, statementOne } from '../../db/index.ts'
import { PROBLEMS, type SettingKey } from './definitions.ts'

const rowsOf = statementIn<{ key: string; value: string }>((list) => `select key, value from settings where key in (${list})`)
/** Locks the row until the end of the transaction, so that no concurrent change of a map is lost. */
const lockSetting = statementOne<{ value: string }>(
  `insert into settings (key, value, updated_at) values ($1, $2, $3)
   on conflict (key) do update set updated_at = excluded.updated_at returning value`,
)
const store = statement('update settings set value = $2 where key = $1')
const drop = statementIn((list) => `delete from settings where key in (${list})`)

const validators = lazy(() => {
  const ajv = new Ajv({ strict: false })
  return new Map(Object.entries(SETTING_SCHEMAS).map(([key, schema]) => [key, ajv.compile(schema)]))
})

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key)

/** A description of what is wrong with the value, or null. */
export const settingProblem = (key: SettingKey, value: unknown): string | null => {
  const valid = validators().get(key)
  if (valid && !valid(value)) return valid.errors?.[0]?.message ?? 'is not valid'
  const problem = PROBLEMS[key] as ((value: unknown) => string | null) | undefined
  return problem?.(value) ?? null
}

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
const merged = (present: unknown, given: unknown): unknown => (isMap(present) && isMap(given) ? { ...present, ...given } : given)

/** The last stored text of each setting and its value, since writes read the same few settings again and again. */
const parsed = new Map<SettingKey, { readonly stored: string; readonly value: unknown }>()

/** Fills in a map's defaults. A value that is invalid in this version counts as not set. */
const currentValue = (key: SettingKey, stored: string | undefined): unknown => {
  const [fallback] = SETTINGS[key]
  if (stored === undefined) return fallback
  const known = parsed.get(key)
  if (known?.stored === stored) return known.value
  const given = merged(fallback, JSON.parse(stored))
  const value = settingProblem(key, given) === null ? given : fallback
  parsed.set(key, { stored, value })
  return value
}

type Values<K extends SettingKey> = { readonly [N in K]: SettingValue<N> }

export const readSettings = async <K extends SettingKey>(db: Db, keys: readonly K[]): Promise<Values<K>> => {
  const stored = new Map((await rowsOf(db, keys)).map((row) => [row.key, row.value]))
  return Object.fromEntries(keys.map((key) => [key, currentValue(key, stored.get(key))])) as Values<K>
}

/** Why a stored value is invalid and therefore ignored; null if it is valid. */
export const storedProblem = async (db: Db, key: SettingKey): Promise<string | null> => {
  const [row] = await rowsOf(db, [key])
  return row ? settingProblem(key, merged(SETTINGS[key][0], JSON.parse(row.value))) : null
}

/** One setting. Not cached, so that a change is effective on every instance immediately. */
export const readSetting = async <K extends SettingKey>(db: Db, key: K): Promise<SettingValue<K>> => (await readSettings(db, [key]))[key]

export const hasFeature = async (db: Db, feature: Feature): Promise<boolean> => (await readSetting(db, 'features'))[feature]

/** Settings to store; maps may be partial. */
export type SettingChanges = { readonly [K in SettingKey]?: SettingValue<K> extends object ? Partial<SettingValue<K>> : SettingValue<K> }

const invalidData = (problems: Readonly<Record<string, string>>) => new ApiError('invalid_data', { data: { errors: problems } })

/**
 * Saves settings, all or none; maps are merged into the stored ones.
 * @throws the error `refused` builds from the problems by key; by default invalid_data
 */
export const saveSettings = async (
  { db, now }: Pick<WriteContext, 'db' | 'now'>,
  changes: SettingChanges,
  refused: (problems: Readonly<Record<string, string>>) => ApiError = invalidData,
): Promise<void> => {
  const problems: Record<string, string> = {}
  // In a fixed order, to prevent deadlocks.
  for (const key of Object.keys(changes).filter(isSettingKey).sort()) {
    const row = await lockSetting(db, [key, JSON.stringify(SETTINGS[key][0]), now])
    const value = merged(currentValue(key, row?.value), changes[key])
    const problem = settingProblem(key, value)
    if (problem !== null) problems[key] = problem
    else await store(db, [key, JSON.stringify(value)])
  }
  if (Object.keys(problems).length > 0) throw refused(problems)
}

/** A row that is not a setting: created if missing, and locked until the end of the transaction. */
export const lockedRow = async (db: Db, key: string, now: string): Promise<string> =>
  (await lockSetting(db, [key, '{}', now]))?.value ?? '{}'
export const storeRow = statement(
  `insert into settings (key, value, updated_at) values ($1, $2, $3)
   on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`,
)
export const rowOf = async (db: Db, key: string): Promise<string | undefined> => (await rowsOf(db, [key]))[0]?.value

/** Resets settings to their defaults by deleting their rows. */
export const resetSettings = (db: Db, keys: readonly string[]) => drop(db, [...keys].sort())
