import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Failure, Skeleton } from './feedback.tsx'
import style from './load-more.module.css'

/** After this many automatic pages, the next one needs a click, so that the content below the list stays reachable. */
const BY_THEMSELVES = 10

interface Props {
  /** An infinite query. */
  readonly list: {
    readonly data: { readonly pages: readonly unknown[] } | undefined
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    readonly error: unknown
    readonly fetchNextPage: () => Promise<unknown>
  }
}

/** Loads the next page when the end of the list comes near. */
export const LoadMore = ({ list }: Props) => {
  const { t } = useTranslation()
  const end = useRef<HTMLDivElement>(null)
  const pages = list.data?.pages.length ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const alone = hasNextPage && !isFetchingNextPage && !list.isFetchNextPageError && pages % BY_THEMSELVES > 0
  useEffect(() => {
    const mark = end.current
    if (!mark || !alone) return
    // Fast scrolling reports several changes together; only the last one is current.
    const watch = new IntersectionObserver((changes) => changes.at(-1)?.isIntersecting && void fetchNextPage(), { rootMargin: '600px' })
    watch.observe(mark)
    return () => watch.disconnect()
  }, [alone, fetchNextPage])
  return (
    <div className={style.more}>
      <div ref={end} />
      {isFetchingNextPage && <Skeleton />}
      {list.isFetchNextPageError && <Failure error={list.error} onRetry={() => fetchNextPage()} />}
      {hasNextPage && !isFetchingNextPage && !list.isFetchNextPageError && !alone && (
        <Button onClick={() => fetchNextPage()}>{t('showMore')}</Button>
      )}
    </div>
  )
}
