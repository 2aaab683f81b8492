import type { TFunction } from 'i18next'

/** What a sentence is made of. */
interface Said {
  readonly action: string
  readonly actor_id: number | null
  readonly object_id: number | null
  readonly details: Readonly<Record<string, unknown>>
}

/** What makes a sentence of its own among those about the same action. */
const variantOf = ({ action, actor_id, object_id, details: { status, role, is_verified, badge_slugs } }: Said): unknown => {
  if (action === 'account.deleted') return actor_id === object_id && 'own'
  if (action === 'manager.saved') return status === 'inactive' && 'inactive'
  if (action === 'space_member.changed') return status === 'banned' ? status : role
  if (action !== 'account.changed') return false
  if (status !== undefined) return status
  if (is_verified !== undefined) return is_verified ? 'isVerified' : 'notVerified'
  return badge_slugs !== undefined && 'badges'
}

/** The keys of the sentence about an entry, the one that says most first. */
export const sentencesOf = (entry: Said): string[] => {
  const plain = `says.${entry.action}`
  const variant = variantOf(entry)
  return variant ? [`${plain}_${variant}`, plain] : [plain]
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** What an entry says beyond its sentence, in short. */
export const noteOf = ({ action, details }: Said, t: TFunction<['audit', 'admin']>): string => {
  const { status, action_taken, reason, keys, page, features } = details
  if (action === 'report.decided') {
    const followed = typeof action_taken === 'string' && action_taken !== 'none' && t(`admin:action.${action_taken}`)
    return [t(`admin:decision.${String(status)}`), followed].filter(Boolean).join(' · ')
  }
  // A reason that somebody wrote is no key.
  if (typeof reason === 'string' && !/^\w+$/.test(reason)) return reason
  if (typeof reason === 'string') return t(`admin:reason.${reason}`, { defaultValue: reason })
  if (typeof page === 'string') return t(`admin:area.${camelCase(page)}`, { defaultValue: '' })
  const named = (names: readonly unknown[], part: string) =>
    names.map((name) => t(`admin:${part}.${String(name)}`, { defaultValue: String(name) })).join(', ')
  if (features && typeof features === 'object') return named(Object.keys(features), 'feature')
  return Array.isArray(keys) ? named(keys, 'setting') : ''
}
