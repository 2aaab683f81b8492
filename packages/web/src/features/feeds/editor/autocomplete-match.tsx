import { queryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { client } from '../../../lib/client.ts'
import { Avatar } from '../../../ui/avatar.tsx'

/** Where a name is being written, of what, and as much of it as is there. */
export interface Begun {
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

/** The name that ends at the caret; `offset` is where the text begins. */
export const begunIn = (textBefore: string, offset = 0): Begun | null => {
  const to = offset + textBefore.length
  for (const { kind, pattern } of BEGUN) {
    const word = pattern.exec(textBefore)?.[1]
    if (word !== undefined) return { kind, from: to - word.length - 1, to, word }
  }
  return null
}

/** What may be meant, and what stands in the text once it is chosen. */
export interface Choice {
  readonly key: string
  readonly text: string
  readonly picture: ReactNode
  readonly name: string
  readonly about: string
}

const MOST = 6

const people = async (mention: string, signal: AbortSignal): Promise<readonly Choice[]> => {
  const { members } = await client.members.list({ mention: `@${mention}`, per_page: MOST }, { signal })
  return members.data.map(({ user_id, username, display_name, avatar }) => ({
    key: String(user_id),
    text: `@${username}`,
    picture: <Avatar name={display_name} src={avatar} size="small" />,
    name: display_name,
    about: `@${username}`,
  }))
}

/** Signs that one of the words of the reader's language stands for. */
const emoji = async (word: string): Promise<readonly Choice[]> => {
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

/** People, or signs, that may be meant. */
export const choicesQuery = ({ kind, word }: Pick<Begun, 'kind' | 'word'>) =>
  queryOptions({
    queryKey: ['feeds', 'complete', kind, word],
    queryFn: ({ signal }) => (kind === 'person' ? people(word, signal) : emoji(word)),
    placeholderData: (before, query) => (query?.queryKey[2] === kind ? before : undefined),
    staleTime: 60_000,
  })

/** A topic that is offered where one writes. */
export interface TopicOffer {
  readonly id: number
  readonly title: string
  readonly icon: string
}

export const topicChoices = (topics: readonly TopicOffer[], word: string): readonly Choice[] =>
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
