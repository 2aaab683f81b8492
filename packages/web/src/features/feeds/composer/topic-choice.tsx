import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../../lib/session.ts'
import { type Space, topicsQuery } from '../queries.ts'
import style from './topic-choice.module.css'

interface Props {
  readonly space: Space | undefined
  readonly chosen: readonly number[]
  readonly error?: string | undefined
  readonly onChange: (chosen: readonly number[]) => void
}

/** What a post is about, of what is offered where it will stand. */
export const TopicChoice = ({ space, chosen, error, onChange }: Props) => {
  const { t } = useTranslation('feeds')
  const me = useMe()
  const found = useQuery(topicsQuery(space?.slug))
  const moderates = me.permissions.length > 0 || (space?.permissions.can_approve ?? false)
  const topics = found.data?.topics.filter(({ admin_only, id }) => admin_only === 'no' || moderates || chosen.includes(id)) ?? []
  if (topics.length === 0 || !found.data) return null
  const { allow_multiple, max_topics_per_post } = found.data.config
  const most = allow_multiple ? max_topics_per_post : 1
  const toggle = (id: number) => {
    if (chosen.includes(id)) onChange(chosen.filter((other) => other !== id))
    else onChange(most === 1 ? [id] : [...chosen, id].slice(0, most))
  }
  return (
    <fieldset className={style.topics}>
      <legend className={style.legend}>
        {t('composer.topics')} <span className={style.hint}>{t('composer.topicsHint', { count: most })}</span>
      </legend>
      <div className={style.list}>
        {topics.map(({ id, title, icon }) => (
          <label key={id} className={style.topic}>
            <input
              type="checkbox"
              className="visually-hidden"
              checked={chosen.includes(id)}
              disabled={most > 1 && chosen.length >= most && !chosen.includes(id)}
              onChange={() => toggle(id)}
            />
            {icon.length <= 4 && icon !== '' && <span aria-hidden="true">{icon}</span>}
            {title}
          </label>
        ))}
      </div>
      {error && (
        <p className={style.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
