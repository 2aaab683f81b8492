import type { FeedFilter } from './queries.ts'

export const ORDERS = ['newest', 'active', 'popular', 'unanswered'] as const
export type Order = (typeof ORDERS)[number]

const ASKED = { newest: undefined, active: 'new_activity', popular: 'popular', unanswered: 'unanswered' } as const

export interface HomeSearch {
  readonly order?: Order | undefined
  readonly topic?: string | undefined
}

/** Parses the search parameters of the home page, ignoring invalid ones. */
export const homeSearch = (given: Readonly<Record<string, unknown>>): HomeSearch => {
  const order = ORDERS.find((name) => name === given['order'] && name !== 'newest')
  const topic = given['topic']
  return {
    ...(order && { order }),
    ...((typeof topic === 'string' || typeof topic === 'number') && topic !== '' && { topic: String(topic) }),
  }
}

export const homeFilter = ({ order = 'newest', topic }: HomeSearch): FeedFilter => {
  const asked = ASKED[order]
  return { ...(asked && { order_by_type: asked }), ...(topic && { topic_slug: topic }) }
}
