import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import style from './mentions.module.css'

/** Where a mention is being written, and what of it is there. */
export interface Mentioning {
  readonly from: number
  readonly to: number
  readonly begun: string
}

const BEGUN = /(?:^|[\s(])@([\p{L}\p{N}_-]{0,30})$/u

/** The mention that ends at the caret; `offset` is where the text begins. */
export const mentionIn = (textBefore: string, offset = 0): Mentioning | null => {
  const begun = BEGUN.exec(textBefore)?.[1]
  if (begun === undefined) return null
  const to = offset + textBefore.length
  return { from: to - begun.length - 1, to, begun }
}

const peopleQuery = (begun: string) =>
  queryOptions({
    queryKey: ['feeds', 'mention', begun],
    queryFn: async ({ signal }) => (await client.members.list({ mention: begun, per_page: 6 }, { signal })).members.data,
    placeholderData: keepPreviousData,
  })

/** Completes what somebody begins to write after an @. `onKey` takes the keys that choose, and says whether it did. */
export const useMentions = (mentioning: Mentioning | null, onChoose: (username: string, at: Mentioning) => void, onStop: () => void) => {
  const id = useId()
  const [current, setCurrent] = useState(0)
  const found = useQuery({ ...peopleQuery(mentioning?.begun ?? ''), enabled: mentioning !== null })
  const people = mentioning ? (found.data ?? []) : []
  const place = Math.min(current, people.length - 1)
  const choose = (username: string) => {
    if (mentioning) onChoose(username, mentioning)
    setCurrent(0)
  }
  const onKey = ({ key }: Pick<KeyboardEvent, 'key'>): boolean => {
    const person = people[place]
    if (!person) return false
    if (key === 'ArrowDown') setCurrent((place + 1) % people.length)
    else if (key === 'ArrowUp') setCurrent((place + people.length - 1) % people.length)
    else if (key === 'Enter' || key === 'Tab') choose(person.username)
    else if (key === 'Escape') onStop()
    else return false
    return true
  }
  const isOpen = people.length > 0
  return {
    onKey,
    isOpen,
    described: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? `${id}-${place}` : undefined,
    },
    list: isOpen && <MentionList id={id} people={people} place={place} onChoose={choose} />,
  }
}

interface ListProps {
  readonly id: string
  readonly people: readonly {
    readonly user_id: number
    readonly username: string
    readonly display_name: string
    readonly avatar: string
  }[]
  readonly place: number
  readonly onChoose: (username: string) => void
}

const MentionList = ({ id, people, place, onChoose }: ListProps) => {
  const { t } = useTranslation('feeds')
  return (
    <div className={style.list} id={id} role="listbox" aria-label={t('writing.people')}>
      {people.map(({ user_id, username, display_name, avatar }, n) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays where one writes, which names the option that is meant
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are taken where one writes
        <div
          key={user_id}
          id={`${id}-${n}`}
          role="option"
          aria-selected={n === place}
          className={style.person}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(username)}
        >
          <Avatar name={display_name} src={avatar} size="small" />
          <span className={style.name}>{display_name}</span>
          <span className={style.username}>@{username}</span>
        </div>
      ))}
    </div>
  )
}
