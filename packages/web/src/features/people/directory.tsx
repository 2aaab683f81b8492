import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { UserRoundSearch } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../lib/community.ts'
import { relativeTime } from '../../lib/time.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import style from './directory.module.css'
import { PersonList, PersonRow } from './person-row.tsx'
import { type MemberOrder, membersQuery, requestsQuery } from './queries.ts'

const route = getRouteApi('/members/people')
const ORDERS: readonly MemberOrder[] = ['created_at', 'last_seen', 'display_name']
const SHORTEST_SEARCH = 2

/** The members directory. */
export const PeoplePage = () => {
  const { t } = useTranslation('people')
  const { q = '', order = 'created_at' } = route.useSearch()
  const navigate = route.useNavigate()
  const community = useQuery(communityQuery)
  const requests = useQuery({ ...requestsQuery, enabled: community.data?.features.followers === true })
  const list = useInfiniteQuery(membersQuery({ ...(q.length >= SHORTEST_SEARCH && { search: q }), orderby: order }))
  const people = list.data?.pages.flatMap((page) => page.members.data) ?? []
  const waiting = requests.data?.meta.total ?? 0
  const go = (change: { q?: string | undefined; order?: MemberOrder | undefined }) =>
    navigate({ search: (() => ({ q: q || undefined, order, ...change })) as never, replace: true, resetScroll: false })
  return (
    <div className={style.page}>
      <PageTitle>{t('title')}</PageTitle>
      <h1>{t('title')}</h1>
      {waiting > 0 && (
        <Link to="/people/requests" className={style.waiting}>
          {t('requests.count', { count: waiting })}
        </Link>
      )}
      <div className={style.tools}>
        <SearchBox label={t('search')} value={q} onChange={(text) => go({ q: text || undefined })} />
        <SegmentedControl
          label={t('order')}
          value={order}
          options={ORDERS.map((value) => ({ value, label: t(`orders.${value}`) }))}
          onChange={(value) => go({ order: value })}
        />
      </div>
      <Card>
        <h2 className="visually-hidden">{t('title')}</h2>
        <QueryState
          query={list}
          lines={8}
          isEmpty={people.length === 0}
          empty={<Empty title={t('empty.members')} icon={<UserRoundSearch aria-hidden="true" />} />}
        />
        <PersonList label={t('title')}>
          {people.map((person) => (
            <PersonRow
              key={person.user_id}
              person={person}
              mark={person.role === 'member' ? undefined : t(`role.${person.role}`)}
              about={person.short_description}
            >
              {order === 'last_seen' && person.last_activity && <span className={style.seen}>{relativeTime(person.last_activity)}</span>}
            </PersonRow>
          ))}
        </PersonList>
        <LoadMore list={list} />
      </Card>
    </div>
  )
}
