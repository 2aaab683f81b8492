import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Failure, Skeleton } from './feedback.tsx'
import style from './load-more.module.css'

/** Every so many pages that came by themselves as one read on a press is waited for, so that what stands below the list can be reached. */
const BY_THEMSELVES = 10

interface Props {
  /** A query that goes on page by page. */
  readonly list: {
    readonly data: { readonly pages: readonly unknown[] } | undefined
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    readonly error: unknown
    readonly fetchNextPage: () => Promise<unknown>
  }
}

/** The end of a list that goes on: what comes next is fetched as the end comes near. */
export const More = ({ list }: Props) => {
  const { t } = useTranslation()
  const end = useRef<HTMLDivElement>(null)
  const pages = list.data?.pages.length ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const alone = hasNextPage && !isFetchingNextPage && !list.isFetchNextPageError && pages % BY_THEMSELVES > 0
  useEffect(() => {
    const mark = end.current
    if (!mark || !alone) return
    // Where one scrolls quickly, several changes are told at once; the last one is true.
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
