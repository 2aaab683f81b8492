import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Compass, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../lib/session.ts'
import { Empty } from '../../ui/feedback.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import style from './directory.module.css'
import { type Space, type SpaceFilter, spaceGroupsQuery, spaceListQuery } from './queries.ts'
import { SpaceCard } from './space-card.tsx'

const route = getRouteApi('/members/spaces')

/** The search parameters. */
const filterOf = ({ q, mine }: { readonly q?: string | undefined; readonly mine?: boolean | undefined }): SpaceFilter => ({
  ...(q && { search: q }),
  ...(mine && { type: 'joined' as const }),
})

/** Spaces of a group are in the order set by the administrators. */
const placeOf = (inside: readonly { readonly id: number }[], id: number) => inside.findIndex((space) => space.id === id)

const Group = ({ title, spaces }: { readonly title: string; readonly spaces: readonly Space[] }) => (
  <section className={style.group}>
    <h2>{title}</h2>
    <ul className={style.cards}>
      {spaces.map((space) => (
        <SpaceCard key={space.id} space={space} />
      ))}
    </ul>
  </section>
)

/** All spaces of the community. */
export const SpacesPage = () => {
  const { t } = useTranslation('spaces')
  const me = useMe()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const groups = useQuery(spaceGroupsQuery)
  const list = useInfiniteQuery(spaceListQuery(filterOf(search)))
  const spaces = list.data?.pages.flatMap((page) => page.spaces.data) ?? []
  const known = groups.data?.groups ?? []
  const inGroup = new Set(known.map(({ id }) => id))
  const loose = spaces.filter(({ parent_id }) => parent_id === null || !inGroup.has(parent_id))
  return (
    <div className={style.page} data-wide="">
      <header className={style.head}>
        <PageTitle>{t('title')}</PageTitle>
        <h1>{t('title')}</h1>
        {me.permissions.includes('manage_spaces') && (
          <Link to="/spaces/new" className={style.create}>
            <Plus aria-hidden="true" /> {t('new')}
          </Link>
        )}
      </header>
      <div className={style.tools}>
        <SearchBox
          label={t('search')}
          value={search.q ?? ''}
          onChange={(q) => navigate({ search: { ...search, q: q || undefined }, replace: true, resetScroll: false })}
        />
        <SegmentedControl
          label={t('which')}
          value={search.mine ? 'mine' : 'all'}
          options={[
            { value: 'all', label: t('all') },
            { value: 'mine', label: t('mine') },
          ]}
          onChange={(which) => navigate({ search: { ...search, mine: which === 'mine' || undefined }, replace: true, resetScroll: false })}
        />
      </div>
      <QueryState
        query={list}
        lines={6}
        isEmpty={spaces.length === 0}
        empty={
          <Empty title={t(search.q ? 'noneFound' : search.mine ? 'noneMine' : 'none')} icon={<Compass aria-hidden="true" />}>
            {(search.q || search.mine) && (
              <Link to="/spaces" search={{}}>
                {t('showAll')}
              </Link>
            )}
          </Empty>
        }
      />
      {known.map(({ id, title, spaces: inside = [] }) => {
        const own = spaces.filter(({ parent_id }) => parent_id === id).sort((a, b) => placeOf(inside, a.id) - placeOf(inside, b.id))
        return own.length > 0 && <Group key={id} title={title} spaces={own} />
      })}
      {loose.length > 0 && <Group title={t(known.length > 0 ? 'others' : 'title')} spaces={loose} />}
      <LoadMore list={list} />
    </div>
  )
}
