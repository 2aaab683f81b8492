import { queryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { client } from '../../../lib/client.ts'
import { keys } from '../../../lib/query-keys.ts'
import { Avatar } from '../../../ui/avatar.tsx'

/** The partial name before the caret: its kind, position and text. */
export interface PartialName {
  readonly kind: 'person' | 'topic' | 'emoji'
  readonly from: number
  readonly to: number
  readonly word: string
}

const BEGUN = [
  { kind: 'person', pattern: /(?:^|[\s(])@([\p{L}\p{N}_-]{0,30})$/u },
  { kind: 'topic', pattern: /(?:^|[\s(])#([\p{L}\p{N}_-]{1,30})$/u },
  { kind: 'emoji', pattern: /(?:^|[\s(]):(\p{L}{2,20})$/u },
] as const

/** Finds the partial name that ends at the caret; `offset` is the position of the text. */
export const partialNameAt = (textBefore: string, offset = 0): PartialName | null => {
  const to = offset + textBefore.length
  for (const { kind, pattern } of BEGUN) {
    const word = pattern.exec(textBefore)?.[1]
    if (word !== undefined) return { kind, from: to - word.length - 1, to, word }
  }
  return null
}

/** A suggestion and the text it inserts. */
export interface Suggestion {
  readonly key: string
  readonly text: string
  readonly picture: ReactNode
  readonly name: string
  readonly about: string
}

const MOST = 6

const people = async (mention: string, signal: AbortSignal): Promise<readonly Suggestion[]> => {
  const { members } = await client.members.list({ mention: `@${mention}`, per_page: MOST }, { signal })
  return members.data.map(({ user_id, username, display_name, avatar }) => ({
    key: String(user_id),
    text: `@${username}`,
    picture: <Avatar name={display_name} src={avatar} size="small" />,
    name: display_name,
    about: `@${username}`,
  }))
}

/** Emoji whose keywords in the user's language match. */
const emoji = async (word: string): Promise<readonly Suggestion[]> => {
  await i18next.loadNamespaces('emoji')
  const begins = word.toLocaleLowerCase()
  return i18next
    .t('emoji:list')
    .split('|')
    .map((entry) => entry.split(' '))
    .filter(([, ...words]) => words.some((known) => known.startsWith(begins)))
    .slice(0, MOST)
    .map(([sign = '', ...words]) => ({
      key: sign,
      text: sign,
      picture: <span aria-hidden="true">{sign}</span>,
      name: words.join(', '),
      about: '',
    }))
}

/** Suggested members or emoji. */
export const suggestionsQuery = ({ kind, word }: Pick<PartialName, 'kind' | 'word'>) =>
  queryOptions({
    queryKey: keys.feeds.completions(kind, word),
    queryFn: ({ signal }) => (kind === 'person' ? people(word, signal) : emoji(word)),
    placeholderData: (before, query) => (query?.queryKey[2] === kind ? before : undefined),
    staleTime: 60_000,
  })

/** A topic available for this post. */
export interface TopicOffer {
  readonly id: number
  readonly title: string
  readonly icon: string
}

export const topicSuggestions = (topics: readonly TopicOffer[], word: string): readonly Suggestion[] =>
  topics
    .filter(({ title }) => title.toLocaleLowerCase().includes(word.toLocaleLowerCase()))
    .slice(0, MOST)
    .map(({ id, title, icon }) => ({
      key: String(id),
      text: `#${title}`,
      picture: <span aria-hidden="true">{icon.length <= 4 ? icon : ''}</span>,
      name: title,
      about: '',
    }))
