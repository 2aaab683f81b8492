import type { TFunction } from 'i18next'

/** The fields that determine the sentence of an entry. */
interface Said {
  readonly action: string
  readonly actor_id: number | null
  readonly object_id: number | null
  readonly details: Readonly<Record<string, unknown>>
}

/** Details that select a more specific sentence for an action. */
const variantOf = ({ action, actor_id, object_id, details: { status, role, is_verified, badge_slugs } }: Said): unknown => {
  if (action === 'account.deleted') return actor_id === object_id && 'own'
  if (action === 'manager.saved') return status === 'inactive' && 'inactive'
  if (action === 'space_member.changed') return status === 'banned' ? status : role
  if (action !== 'account.changed') return false
  if (status !== undefined) return status
  if (is_verified !== undefined) return is_verified ? 'isVerified' : 'notVerified'
  return badge_slugs !== undefined && 'badges'
}

/** Translation keys for an entry, most specific first. */
export const sentencesOf = (entry: Said): string[] => {
  const plain = `sentence.${entry.action}`
  const variant = variantOf(entry)
  return variant ? [`${plain}_${variant}`, plain] : [plain]
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** Short additional facts of an entry that its sentence does not mention. */
export const noteOf = ({ action, details }: Said, t: TFunction<['audit', 'admin']>): string => {
  const { status, action_taken, reason, keys, page, features } = details
  if (action === 'report.decided') {
    const followed = typeof action_taken === 'string' && action_taken !== 'none' && t(`admin:action.${action_taken}`)
    return [t(`admin:decision.${String(status)}`), followed].filter(Boolean).join(' · ')
  }
  // A reason typed by a moderator is not a translation key.
  if (typeof reason === 'string' && !/^\w+$/.test(reason)) return reason
  if (typeof reason === 'string') return t(`admin:reason.${reason}`, { defaultValue: reason })
  if (typeof page === 'string') return t(`admin:area.${camelCase(page)}`, { defaultValue: '' })
  const named = (names: readonly unknown[], part: string) =>
    names.map((name) => t(`admin:${part}.${String(name)}`, { defaultValue: String(name) })).join(', ')
  if (features && typeof features === 'object') return named(Object.keys(features), 'feature')
  return Array.isArray(keys) ? named(keys, 'setting') : ''
}
