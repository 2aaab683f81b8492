import { ArrowUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../lib/query.ts'
import { onStreamEvent } from '../../lib/realtime.ts'
import { useMe } from '../../lib/session.ts'
import style from './new-posts.module.css'
import { type FeedFilter, feedListQuery } from './queries.ts'

/** Announces new posts and loads them on a click, so that the list does not jump while reading. */
export const NewPosts = ({ filter, spaceId }: { readonly filter: FeedFilter; readonly spaceId?: number }) => {
  const { t } = useTranslation('feeds')
  const me = useMe()
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  useEffect(
    () =>
      onStreamEvent('feed', ({ action, feed_id, user_id, space_id }) => {
        if (user_id === me.user_id || (spaceId !== undefined && space_id !== spaceId)) return
        setIds((before) => {
          const next = new Set(before)
          if (action === 'published') next.add(feed_id)
          else if (action !== 'updated') next.delete(feed_id)
          return next
        })
      }),
    [me.user_id, spaceId],
  )
  const show = async () => {
    setIds(new Set())
    scrollTo({ top: 0 })
    await queryClient.resetQueries({ queryKey: feedListQuery(filter).queryKey, exact: true })
  }
  return (
    <div className={style.place} role="status">
      {ids.size > 0 && (
        <button type="button" className={style.pill} onClick={show}>
          <ArrowUp aria-hidden="true" /> {t('feed.newPosts', { count: ids.size })}
        </button>
      )}
    </div>
  )
}
