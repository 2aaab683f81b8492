import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import style from './audit.module.css'
import type { AuditEntryData } from './queries.ts'

/** Object types of ID fields in the details. */
const KINDS: Readonly<Record<string, string>> = {
  author_id: 'user',
  reported_user_id: 'user',
  trusted_users: 'user',
  space_id: 'space',
  spaces: 'space',
  feed_id: 'feed',
  course_id: 'course',
}

/** A detail value as text. */
const said = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(said).join(', ')
  if (value === null || value === '') return '–'
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${said(part)}`)
    .join(', ')
}

/** All recorded details of an entry. */
export const AuditDetails = ({ entry, children }: { readonly entry: AuditEntryData; readonly children: ReactNode }) => {
  const { t } = useTranslation('audit')
  const { action, details, objects, object_id, object_type, ip_address, request_id } = entry
  const nameOf = (field: string, value: unknown) => {
    const own = objects.filter(({ object_type: type, object_id: id }) => type === KINDS[field] && [value].flat().includes(id))
    return own.length > 0 ? own.map(({ title }) => title).join(', ') : said(value)
  }
  const rows: readonly (readonly [name: string, value: string])[] = [
    ...Object.entries(details).map(([field, value]) => [field, nameOf(field, value)] as const),
    ['action', action],
    ...(object_id === null ? [] : [['object', `${object_type} ${object_id}`] as const]),
    ...(ip_address ? [['ip_address', ip_address] as const] : []),
    ...(request_id ? [['request_id', request_id] as const] : []),
  ]
  return (
    <details className={style.details}>
      <summary>
        {children} · <span>{t('details')}</span>
      </summary>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`field.${name}`, { defaultValue: name })}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
