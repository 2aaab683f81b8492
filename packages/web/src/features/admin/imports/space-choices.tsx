import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Choice } from '../../../ui/field.tsx'
import { type Choices, choicesFor, type KnownSpace, withChoice } from './choices.ts'
import style from './imports.module.css'

interface Props {
  readonly spaces: readonly KnownSpace[]
  readonly choices: Choices
  readonly onChange: (choices: Choices) => void
}

/** For each space of the last run: whether it is imported, and who sees it. */
export const SpaceChoices = ({ spaces, choices, onChange }: Props) => {
  const { t } = useTranslation('imports')
  const [isOpen] = useState(choices.spaces.size > 0)
  return (
    <details open={isOpen}>
      <summary>{t('spaceChoice.title')}</summary>
      <p className={style.soft}>{t('spaceChoice.hint')}</p>
      <div className={style.items}>
        {spaces.map((space) => (
          <Choice
            key={space.id}
            label={space.title}
            value={choices.spaces.get(space.id)?.choice ?? 'same'}
            options={choicesFor(space)}
            words={(choice) => t(`spaceChoice.${choice}`)}
            onChoose={(choice) => onChange(withChoice(choices, space, choice))}
          />
        ))}
      </div>
    </details>
  )
}
