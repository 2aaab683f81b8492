import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onStreamEvent } from '../../../lib/realtime.ts'
import { useMe } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { changeFeed, type Feed } from '../queries.ts'
import { useFeedPermissions } from '../use-feed-permissions.ts'
import { CommentItem } from './comment.tsx'
import { CommentForm } from './comment-form.tsx'
import style from './comments.module.css'
import { commentsQuery, refreshComments, type Thread, threadsOf } from './queries.ts'

/** Replies shown before they are expanded. */
const REPLIES = 3
/** Number of placeholder comments and their lines; more would be out of view. */
const WAITED_FOR = 5
const LINES = 4

interface ThreadProps {
  readonly feed: Feed
  readonly thread: Thread
  readonly meant: number | undefined
}

/** A comment with its replies. */
const CommentThread = ({ feed, thread: { comment, replies }, meant }: ThreadProps) => {
  const { t } = useTranslation('feeds')
  const rights = useFeedPermissions(feed)
  const [all, setAll] = useState(replies.some(({ id }) => id === meant))
  const [answering, setAnswering] = useState<string>()
  const shown = all ? replies : replies.slice(0, REPLIES)
  const rest = replies.length - shown.length
  const about = { rights, isQuestion: feed.type === 'question' }
  const answer = (username: string) => {
    setAll(true)
    setAnswering(username)
  }
  return (
    <li className={style.thread}>
      <CommentItem {...about} comment={comment} isMeant={comment.id === meant} onReply={() => answer('')} />
      {(shown.length > 0 || answering !== undefined) && (
        <ol className={style.replies}>
          {shown.map((reply) => (
            <li key={reply.id}>
              <CommentItem {...about} comment={reply} isMeant={reply.id === meant} onReply={() => answer(reply.xprofile.username)} />
            </li>
          ))}
          {rest > 0 && (
            <li>
              <Button kind="quiet" onClick={() => setAll(true)}>
                {t('comment.moreReplies', { count: rest })}
              </Button>
            </li>
          )}
          {answering !== undefined && (
            <li>
              <CommentForm
                key={answering}
                feedId={feed.id}
                parentId={comment.id}
                start={answering && `@${answering} `}
                onDone={() => setAnswering(undefined)}
              />
            </li>
          )}
        </ol>
      )}
    </li>
  )
}

/** The comments of a post and the comment form. */
export const Comments = ({ feed, meant }: { readonly feed: Feed; readonly meant?: number | undefined }) => {
  const { t } = useTranslation('feeds')
  const me = useMe()
  const rights = useFeedPermissions(feed)
  const list = useInfiniteQuery(commentsQuery(feed.id))
  const threads = threadsOf(list.data?.pages ?? [])
  const found = meant !== undefined && threads.some(({ comment, replies }) => [comment, ...replies].some(({ id }) => id === meant))
  const shown = useRef<number>(undefined)

  useEffect(() => {
    if (meant === undefined || shown.current === meant) return
    if (!found) {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
      return
    }
    shown.current = meant
    const mark = document.getElementById(`comment-${meant}`)
    mark?.scrollIntoView({ block: 'center' })
    mark?.focus({ preventScroll: true })
  }, [meant, found, list.hasNextPage, list.isFetchingNextPage, list.fetchNextPage])

  useEffect(
    () =>
      onStreamEvent('comment', ({ feed_id, user_id, comments_count }) => {
        if (feed_id !== feed.id || user_id === me.user_id) return
        void refreshComments(feed.id)
        if (comments_count !== undefined) changeFeed(feed.id, (before) => ({ ...before, comments_count }))
      }),
    [feed.id, me.user_id],
  )

  return (
    <section id="comments" className={style.comments} aria-labelledby="comments-title" tabIndex={-1}>
      <h2 id="comments-title">{feed.comments_count > 0 ? t('feed.comments', { count: feed.comments_count }) : t('comment.title')}</h2>
      <QueryState
        query={list}
        lines={LINES * Math.min(feed.comments_count, WAITED_FOR)}
        isEmpty={threads.length === 0}
        empty={<p className={style.none}>{t(rights.comment ? 'comment.none' : 'comment.noneClosed')}</p>}
      />
      <ol className={style.list}>
        {threads.map((thread) => (
          <CommentThread key={thread.comment.id} feed={feed} thread={thread} meant={meant} />
        ))}
      </ol>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t('comment.more')}
        </Button>
      )}
      {rights.comment ? (
        <CommentForm feedId={feed.id} />
      ) : (
        feed.status === 'published' && <p className={style.none}>{t('comment.closed')}</p>
      )}
    </section>
  )
}
