import { useTranslation } from 'react-i18next'
import style from './topic-choice.module.css'
import type { useTopics } from './topics.ts'

interface Props {
  readonly topics: ReturnType<typeof useTopics>
  readonly chosen: readonly number[]
  readonly error?: string | undefined
}

/** Selects topics from those available in the target space. */
export const TopicChoice = ({ topics: { offered, most, toggle }, chosen, error }: Props) => {
  const { t } = useTranslation('feeds')
  if (offered.length === 0) return null
  return (
    <fieldset className={style.topics}>
      <legend className={style.legend}>
        {t('composer.topics')} <span className={style.hint}>{t('composer.topicsHint', { count: most })}</span>
      </legend>
      <div className={style.list}>
        {offered.map(({ id, title, icon }) => (
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
