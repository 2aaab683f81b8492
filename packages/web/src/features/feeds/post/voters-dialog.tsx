import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { nextPage } from '../../../lib/pagination.ts'
import { keys } from '../../../lib/query-keys.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import style from '../people.module.css'

const votersQuery = (feedId: number, option: string) =>
  infiniteQueryOptions({
    queryKey: keys.feeds.voters(feedId, option),
    queryFn: ({ pageParam, signal }) => client.surveys.voters({ feed_id: feedId, option_slug: option, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => nextPage(pagination),
    staleTime: 0,
  })

interface Props {
  readonly feedId: number
  readonly option: string
  readonly label: string
  readonly onClose: () => void
}

/** The members who voted for an option. */
export const VotersDialog = ({ feedId, option, label, onClose }: Props) => {
  const { t } = useTranslation('feeds')
  const list = useInfiniteQuery(votersQuery(feedId, option))
  const voters = list.data?.pages.flatMap((page) => page.voters) ?? []
  return (
    <Dialog title={label} onClose={onClose}>
      <QueryState query={list} lines={4} />
      {list.isSuccess && voters.length === 0 && <p className={style.none}>{t('survey.noVotes')}</p>}
      <ul className={style.people}>
        {voters.map(({ id, display_name, avatar }) => (
          <li key={id} className={style.person}>
            <Avatar name={display_name} src={avatar} />
            <span className={style.name}>{display_name}</span>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t('feed.more')}
        </Button>
      )}
    </Dialog>
  )
}
