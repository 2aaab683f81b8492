import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import style from './autocomplete.module.css'
import { type PartialName, type Suggestion, suggestionsQuery, type TopicOffer, topicSuggestions } from './autocomplete-match.tsx'

/** Topics to suggest, and what happens when one is chosen. */
export interface Topics {
  readonly offered: readonly TopicOffer[]
  readonly onName: (id: number) => void
}

interface Props {
  readonly begun: PartialName | null
  readonly topics?: Topics | undefined
  /** Replaces the partial name with a text. */
  readonly onChoose: (text: string, begun: PartialName) => void
  readonly onStop: () => void
}

/** Suggests completions after @, # or a colon. `onKey` handles the selection keys and returns whether it did. */
export const useAutocomplete = ({ begun, topics, onChoose, onStop }: Props) => {
  const id = useId()
  const [current, setCurrent] = useState(0)
  const isTopic = begun?.kind === 'topic'
  const found = useQuery({ ...suggestionsQuery(begun ?? { kind: 'person', word: '' }), enabled: begun !== null && !isTopic })
  const choices = !begun ? [] : isTopic ? topicSuggestions(topics?.offered ?? [], begun.word) : (found.data ?? [])
  const place = Math.min(current, choices.length - 1)
  const choose = ({ key, text }: Suggestion) => {
    if (!begun) return
    onChoose(`${text} `, begun)
    if (isTopic) topics?.onName(Number(key))
    setCurrent(0)
  }
  const onKey = ({ key }: Pick<KeyboardEvent, 'key'>): boolean => {
    const choice = choices[place]
    if (!choice) return false
    if (key === 'ArrowDown') setCurrent((place + 1) % choices.length)
    else if (key === 'ArrowUp') setCurrent((place + choices.length - 1) % choices.length)
    else if (key === 'Enter' || key === 'Tab') choose(choice)
    else if (key === 'Escape') onStop()
    else return false
    return true
  }
  const isOpen = begun !== null && choices.length > 0
  return {
    onKey,
    described: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? `${id}-${place}` : undefined,
    },
    list: isOpen && <Choices id={id} kind={begun.kind} choices={choices} place={place} onChoose={choose} />,
  }
}

interface ListProps {
  readonly id: string
  readonly kind: PartialName['kind']
  readonly choices: readonly Suggestion[]
  readonly place: number
  readonly onChoose: (choice: Suggestion) => void
}

const Choices = ({ id, kind, choices, place, onChoose }: ListProps) => {
  const { t } = useTranslation('feeds')
  return (
    <div className={style.list} id={id} role="listbox" aria-label={t(`editor.suggestions.${kind}`)}>
      {choices.map((choice, n) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the editor, which references the active option
        // biome-ignore lint/a11y/useKeyWithClickEvents: the editor handles the keys
        <div
          key={choice.key}
          id={`${id}-${n}`}
          role="option"
          aria-selected={n === place}
          className={style.choice}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(choice)}
        >
          {choice.picture}
          <span className={style.name}>{choice.name}</span>
          {choice.about && <span className={style.about}>{choice.about}</span>}
        </div>
      ))}
    </div>
  )
}
