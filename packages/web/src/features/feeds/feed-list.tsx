import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../lib/shortcuts.ts'
import { pathOf } from '../../lib/urls.ts'
import { Card } from '../../ui/card.tsx'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { bookmark, react } from './actions.ts'
import { FeedCard } from './feed-card.tsx'
import style from './home.module.css'
import { type bookmarkListQuery, type Feed, type FeedFilter, type FeedPage, feedListQuery } from './queries.ts'

interface Props {
  readonly filter?: FeedFilter
  /** A query other than the filtered feed list. */
  readonly query?: ReturnType<typeof bookmarkListQuery>
  /** The empty state. */
  readonly empty?: ReactNode
}

/** Shortcuts to move between posts and act on the current one. */
const useListKeys = (feeds: readonly Feed[], list: { readonly current: HTMLElement | null }) => {
  const { t } = useTranslation('feeds')
  const navigate = useNavigate()
  const cards = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-feed]') ?? [])]
  const at = () => cards().findIndex((card) => card.contains(document.activeElement))
  const go = (step: number) => {
    const all = cards()
    const from = at()
    const next = from < 0 ? (all.find((card) => card.getBoundingClientRect().bottom > 100) ?? all[0]) : all[from + step]
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'start', behavior: 'smooth' })
  }
  const here = (run: (feed: Feed) => void) => () => {
    const id = Number(cards()[at()]?.dataset['feed'])
    const feed = feeds.find((one) => one.id === id)
    if (feed) run(feed)
  }
  useShortcut('j', t('shortcuts.next'), () => go(1))
  useShortcut('k', t('shortcuts.previous'), () => go(-1))
  useShortcut(
    'l',
    t('shortcuts.like'),
    here((feed) => void react(feed, 'like')),
  )
  useShortcut(
    'b',
    t('shortcuts.bookmark'),
    here((feed) => void bookmark(feed)),
  )
  useShortcut(
    'o',
    t('shortcuts.open'),
    here((feed) => void navigate({ to: pathOf(feed.permalink) })),
  )
}

/** An infinite list of posts, newest first by default. */
export const FeedList = ({ filter = {}, query, empty }: Props) => {
  const { t } = useTranslation('feeds')
  const list = useInfiniteQuery((query ?? feedListQuery(filter)) as ReturnType<typeof feedListQuery>)
  const box = useRef<HTMLDivElement>(null)
  const pages = (list.data as InfiniteData<FeedPage> | undefined)?.pages ?? []
  const sticky = pages[0]?.sticky ?? null
  const feeds = [...new Map(pages.flatMap((page) => page.feeds.data).map((feed) => [feed.id, feed])).values()].filter(
    ({ id }) => id !== sticky?.id,
  )
  useListKeys(sticky ? [sticky, ...feeds] : feeds, box)

  const placeholder = [0, 1, 2].map((n) => (
    <Card key={n}>
      <Skeleton lines={5} />
    </Card>
  ))
  const isEmpty = feeds.length === 0 && !sticky
  const noPosts = empty ?? (
    <Empty title={t('feed.empty')} icon={<MessagesSquare />}>
      <p>{t('feed.emptyHint')}</p>
    </Empty>
  )
  if (!list.data || isEmpty) return <QueryState query={list} placeholder={placeholder} isEmpty={isEmpty} empty={noPosts} />
  return (
    <>
      <div ref={box} className={style.page} role="feed" aria-busy={list.isFetching} aria-label={t('feed.title')}>
        {sticky && <FeedCard feed={sticky} pinned />}
        {feeds.map((feed) => (
          <FeedCard key={feed.id} feed={feed} />
        ))}
      </div>
      <LoadMore list={list} />
      {!list.hasNextPage && pages.length > 1 && <p className={style.end}>{t('feed.end')}</p>}
    </>
  )
}
