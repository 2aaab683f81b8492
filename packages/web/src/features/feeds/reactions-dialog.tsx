import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { nextPage } from '../../lib/pagination.ts'
import { keys } from '../../lib/query-keys.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import style from './people.module.css'
import { REACTION_EMOJI, REACTIONS, type ReactionType } from './reactions.ts'

type Of = { readonly feed_id: number } | { readonly comment_id: number }

const whoQuery = (of: Of, type: ReactionType | 'all') =>
  infiniteQueryOptions({
    queryKey: keys.feeds.reactions(of, type),
    queryFn: ({ pageParam, signal }) => {
      const asked = { page: pageParam, ...(type !== 'all' && { type }) }
      return 'feed_id' in of
        ? client.reactions.ofFeed({ ...of, ...asked }, { signal })
        : client.reactions.ofComment({ ...of, ...asked }, { signal })
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => nextPage(pagination),
    staleTime: 0,
  })

const Who = ({ of, type, onClose }: { readonly of: Of; readonly type: ReactionType | 'all'; readonly onClose: () => void }) => {
  const { t } = useTranslation('feeds')
  const list = useInfiniteQuery(whoQuery(of, type))
  if (!list.data) return <QueryState query={list} lines={4} />
  const people = list.data.pages.flatMap(({ reactions }) => reactions)
  if (people.length === 0) return <p className={style.none}>{t('feed.noReactions')}</p>
  return (
    <>
      <ul className={style.people}>
        {people.map(({ id, type: own, xprofile }) => (
          <li key={id}>
            <Link to={`/people/${xprofile.username}` as never} className={style.person} onClick={onClose}>
              <Avatar name={xprofile.display_name} src={xprofile.avatar} />
              <span className={style.name}>{xprofile.display_name}</span>
              <span role="img" aria-label={t(`reaction.${own}`)}>
                {REACTION_EMOJI[own]}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t('feed.more')}
        </Button>
      )}
    </>
  )
}

/** The members who reacted, by reaction. */
export const ReactionsDialog = ({ of, onClose }: { readonly of: Of; readonly onClose: () => void }) => {
  const { t } = useTranslation('feeds')
  const [shown, setShown] = useState<ReactionType | 'all'>('all')
  const kinds = ['all', ...REACTIONS] as const
  return (
    <Dialog title={t('feed.reactionsTitle')} onClose={onClose}>
      <Tabs selectedKey={shown} onSelectionChange={(key) => setShown(key as ReactionType | 'all')}>
        <TabList className={style.tabs ?? ''} aria-label={t('feed.reactionsTitle')}>
          {kinds.map((kind) => (
            <Tab key={kind} id={kind} className={style.tab ?? ''} aria-label={kind === 'all' ? t('feed.all') : t(`reaction.${kind}`)}>
              {kind === 'all' ? t('feed.all') : REACTION_EMOJI[kind]}
            </Tab>
          ))}
        </TabList>
        {kinds.map((kind) => (
          <TabPanel key={kind} id={kind} className={style.panel ?? ''}>
            <Who of={of} type={kind} onClose={onClose} />
          </TabPanel>
        ))}
      </Tabs>
    </Dialog>
  )
}
