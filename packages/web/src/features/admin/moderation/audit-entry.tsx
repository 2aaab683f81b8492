import { Link } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fullDateTime, timeOfDay } from '../../../lib/time.ts'
import { pathOf } from '../../../lib/urls.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import style from './audit.module.css'
import { AuditDetails } from './audit-details.tsx'
import { noteOf, sentencesOf } from './audit-words.ts'
import type { AuditEntryData } from './queries.ts'

/** Link targets of objects that have no page of their own. */
const PLACES: Readonly<Record<string, (id: number) => string>> = {
  topic: () => '/admin/topics',
  space_group: () => '/admin/space-groups',
  webhook: (id) => `/admin/webhooks/${id}`,
}
const QUOTED = ['feed', 'comment']
const NUMBERED = ['user', ...QUOTED]

interface ThingProps {
  readonly entry: AuditEntryData
  readonly type: string
  readonly id: number
  /** Name of the object at the time of the action. */
  readonly called?: unknown
}

/** The object of an entry: a link with its current name, or its ID if it was deleted. */
const Thing = ({ entry, type, id, called }: ThingProps) => {
  const { t } = useTranslation('audit')
  const found = entry.objects.find(({ object_type, object_id }) => object_type === type && object_id === id)
  const title = found?.title || (typeof called === 'string' ? called : '')
  if (!title) return NUMBERED.includes(type) ? t(`deletedObject.${type}`, { id }) : String(id)
  const words = QUOTED.includes(type) ? t(`titledObject.${type}`, { title }) : title
  const to = found && (found.url ? pathOf(found.url) : PLACES[type]?.(id))
  return to ? <Link to={to as never}>{words}</Link> : words
}

const fill = (sentence: string, parts: Readonly<Record<string, ReactNode>>): ReactNode =>
  sentence.split(/\{\{(\w+)\}\}/).map((piece, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence do not move
    return <Fragment key={at}>{at % 2 === 0 ? piece : parts[piece]}</Fragment>
  })

/** An audit entry: actor, action and object, with expandable details. */
export const AuditEntry = ({ entry }: { readonly entry: AuditEntryData }) => {
  const { t } = useTranslation(['audit', 'admin'])
  const { action, actor, actor_id, object_type, object_id, details, created_at } = entry
  const thing = (type: string, id: unknown, called?: unknown) =>
    typeof id === 'number' && <Thing entry={entry} type={type} id={id} called={called} />
  const who = actor ? <Link to={`/people/${actor.username}` as never}>{actor.display_name}</Link> : thing('user', actor_id) || t('server')
  const sentence = t(sentencesOf(entry), { defaultValue: '{{actor}} {{action}} {{object}}', skipInterpolation: true })
  const note = noteOf(entry, t)
  return (
    <li className={style.entry}>
      {actor ? (
        <Avatar name={actor.display_name} src={actor.avatar} size="small" />
      ) : (
        <Server className={style.server} aria-hidden="true" />
      )}
      <div className={style.what}>
        <p className={style.sentence}>
          {fill(sentence, {
            actor: <strong>{who}</strong>,
            action: <code>{action}</code>,
            object: thing(object_type, object_id, details['title'] ?? details['name'] ?? details['username']),
            author: thing('user', details['author_id']),
            person: thing('user', details['reported_user_id']),
            space: thing('space', details['space_id']),
            role: typeof details['role'] === 'string' && t(`admin:managerRole.${details['role']}`),
          })}
        </p>
        <AuditDetails entry={entry}>
          <time title={fullDateTime(created_at)}>{timeOfDay(created_at)}</time>
          {note && ` · ${note}`}
        </AuditDetails>
      </div>
    </li>
  )
}
