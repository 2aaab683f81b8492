import { type AuditAction, type api, SETTING_GROUP_NAMES, SETTING_GROUPS, SETTINGS, type SettingGroup } from '@lyceum/contract'
import { may } from '../../auth/authenticate.ts'
import type { Actor, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { audit } from '../audit/index.ts'
import type { SettingKey } from './definitions.ts'
import { isSettingKey, readSetting, readSettings, resetSettings, type SettingChanges, saveSettings, storedProblem } from './repository.ts'

/** Groups that only administrators may change, whatever the permissions of a manager. */
const RESERVED: ReadonlySet<SettingGroup> = new Set(['features', 'integrations', 'limits'])

const keysOf = (group: SettingGroup) => Object.keys(SETTING_GROUPS[group]) as SettingKey[]
const groupOf = (key: SettingKey) => SETTING_GROUP_NAMES.find((group) => Object.hasOwn(SETTING_GROUPS[group], key)) as SettingGroup
const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : (typeof value as 'string' | 'boolean' | 'number' | 'object'))

/** Settings apply to the whole community, so managers of single spaces may not change them. @throws rest_forbidden */
export const requireSettings = (actor: Actor): void => {
  if (!may(actor, 'manage_settings', null)) throw new ApiError('rest_forbidden')
}

const mayChange = (actor: Actor, key: SettingKey) => actor.role === 'admin' || !RESERVED.has(groupOf(key))

/** Validates keys and authorizes the caller. @throws invalid_setting_key, rest_forbidden */
const checkedKeys = (actor: Actor, keys: readonly string[]): SettingKey[] => {
  requireSettings(actor)
  const unknown = keys.find((key) => !isSettingKey(key))
  if (unknown !== undefined) throw new ApiError('invalid_setting_key', { data: { key: unknown } })
  const known = [...new Set(keys as SettingKey[])]
  if (!known.every((key) => mayChange(actor, key))) throw new ApiError('rest_forbidden')
  return known
}

const invalidValue = (problems: Readonly<Record<string, string>>) => {
  const [[key, error] = ['', '']] = Object.entries(problems)
  return new ApiError('invalid_value', { message: `${key} ${error}.`, data: { key, error } })
}

/** Audits a change of settings and emits an event. Values are omitted: subscribers can read them. */
export const settingsChanged = async (ctx: WriteRequest, details: object, action: AuditAction = 'settings.changed'): Promise<void> => {
  await audit(ctx, action, { object_type: 'settings', object_id: null, details })
  await ctx.emit('settings.changed', {})
}

type Keyed = Pick<Handlers<typeof api.settings>, 'list' | 'get' | 'save' | 'reset'>

export const keyedHandlers: Keyed = {
  list: async ({ db, actor }, { query }) => {
    requireSettings(actor)
    const groups = query.group ? [query.group] : SETTING_GROUP_NAMES
    const values = await readSettings(db, groups.flatMap(keysOf))
    return { data: Object.fromEntries(groups.map((group) => [group, Object.fromEntries(keysOf(group).map((key) => [key, values[key]]))])) }
  },

  get: async ({ db, actor }, { params }) => {
    requireSettings(actor)
    const { key } = params
    if (!isSettingKey(key)) throw new ApiError('setting_not_found', { data: { key } })
    const [fallback, label, description] = SETTINGS[key]
    const value = await readSetting(db, key)
    // Validation may have become stricter since the value was saved.
    const problem = await storedProblem(db, key)
    return { data: { key, value, type: typeOf(fallback), label, description, group: groupOf(key), problem } }
  },

  save: async (ctx, { body }) => {
    const keys = checkedKeys(ctx.actor, Object.keys(body))
    await saveSettings(ctx, body as SettingChanges, invalidValue)
    if (keys.length > 0) await settingsChanged(ctx, { keys })
    return { message: 'The settings were saved.', data: { updated_count: keys.length, updated_keys: keys } }
  },

  reset: async (ctx, { body }) => {
    requireSettings(ctx.actor)
    const every = Object.keys(SETTINGS).filter(isSettingKey)
    const keys = checkedKeys(ctx.actor, body.keys ?? every.filter((key) => mayChange(ctx.actor, key)))
    await resetSettings(ctx.db, keys)
    if (keys.length > 0) await settingsChanged(ctx, { keys }, 'settings.reset')
    return { message: 'The settings were reset.', data: { reset_count: keys.length } }
  },
}
