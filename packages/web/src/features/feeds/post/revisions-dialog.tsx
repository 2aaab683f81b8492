import type { Answers } from '@lyceum/sdk'
import { EDIT_REASON } from '@lyceum/sdk/values'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { nextPage } from '../../../lib/pagination.ts'
import { keys } from '../../../lib/query-keys.ts'
import { fullDateTime } from '../../../lib/time.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { mediaOf } from './meta.ts'
import style from './revisions-dialog.module.css'

export type RevisionsOf = { readonly feed_id: number } | { readonly comment_id: number }
type Revision = Answers['feeds']['revisions']['data'][number]

const revisionsQuery = (of: RevisionsOf) =>
  infiniteQueryOptions({
    queryKey: keys.feeds.revisions(of),
    queryFn: ({ pageParam, signal }) =>
      'feed_id' in of
        ? client.feeds.revisions({ ...of, page: pageParam }, { signal })
        : client.comments.revisions({ ...of, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => nextPage(pagination),
    staleTime: 0,
  })

/** One earlier version and the edit that replaced it. */
const Version = ({ revision: { title, message, meta, reason, editor, created_at } }: { readonly revision: Revision }) => {
  const { t } = useTranslation('feeds')
  const pictures = mediaOf(meta).length
  return (
    <li className={style.version}>
      <h3>
        <time dateTime={`${created_at.replace(' ', 'T')}Z`}>{t('revisions.until', { date: fullDateTime(created_at) })}</time>
      </h3>
      <p className={style.soft}>
        {editor ? t('revisions.by', { name: editor.display_name }) : t('revisions.byModerator')}
        {reason !== EDIT_REASON.standard && ` · ${t('revisions.reason', { reason })}`}
      </p>
      <div className={style.text} dir="auto">
        {title && <strong>{title}</strong>}
        {message && <p>{message}</p>}
        {pictures > 0 && <p className={style.soft}>{t('revisions.pictures', { count: pictures })}</p>}
      </div>
    </li>
  )
}

const Versions = ({ of }: { readonly of: RevisionsOf }) => {
  const { t } = useTranslation('feeds')
  const list = useInfiniteQuery(revisionsQuery(of))
  if (!list.data) return <QueryState query={list} lines={4} />
  const revisions = list.data.pages.flatMap(({ data }) => data)
  if (revisions.length === 0) return <p className={style.soft}>{t('revisions.none')}</p>
  return (
    <>
      <ol className={style.versions}>
        {revisions.map((revision) => (
          <Version key={revision.id} revision={revision} />
        ))}
      </ol>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t('common:showMore')}
        </Button>
      )}
    </>
  )
}

/** Versions of a post or comment before moderator edits. */
export const RevisionsDialog = ({ of, onClose }: { readonly of: RevisionsOf; readonly onClose: () => void }) => {
  const { t } = useTranslation('feeds')
  return (
    <Dialog title={t('revisions.title')} onClose={onClose}>
      <p className={style.soft}>{t('revisions.hint')}</p>
      <Versions of={of} />
    </Dialog>
  )
}
