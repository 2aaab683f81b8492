import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { EyeOff, UserPlus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { PersonList } from '../people/person-row.tsx'
import { AddMember } from './add-member.tsx'
import { MemberRow } from './member-row.tsx'
import { type SpaceDetail, spaceMembersQuery, spaceQuery } from './queries.ts'
import style from './space-page.module.css'

const route = getRouteApi('/members/spaces/$slug/members')
const STATUSES = ['active', 'pending', 'banned'] as const
type Status = (typeof STATUSES)[number]

/** The members of a space, if the user may see them. */
export const SpaceMembersPage = () => {
  const { t } = useTranslation('spaces')
  const { slug } = route.useParams()
  const { data: space } = useSuspenseQuery(spaceQuery(slug))
  if (space.permissions.can_view_members) return <Members space={space} />
  const forMembers = space.settings.members_page_status !== 'admin_only'
  return (
    <Empty title={t(forMembers ? 'list.membersOnly' : 'list.adminsOnly')} icon={<EyeOff aria-hidden="true" />}>
      {forMembers && <p>{t('list.membersOnlyText')}</p>}
    </Empty>
  )
}

/** The members of a space; for its admins, also requests and bans. */
const Members = ({ space }: { readonly space: SpaceDetail }) => {
  const { t } = useTranslation('spaces')
  const { slug } = space
  const manages = space.permissions.can_add_member
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState<Status>('active')
  const [adding, setAdding] = useState(false)
  const list = useInfiniteQuery(spaceMembersQuery(slug, { ...(search && { search }), ...(status !== 'active' && { status }) }))
  const people = list.data?.pages.flatMap((page) => page.data) ?? []
  const waiting = list.data?.pages[0]?.pending_count ?? 0
  const words = (name: Status) => (name === 'pending' && waiting > 0 ? `${t('list.pending')} (${waiting})` : t(`list.${name}`))
  return (
    <>
      <div className={style.tools}>
        <SearchBox label={t('list.search')} value={search} onChange={setSearch} />
        {manages && (
          <Button icon={<UserPlus aria-hidden="true" />} onClick={() => setAdding(true)}>
            {t('list.add')}
          </Button>
        )}
      </div>
      {manages && (
        <SegmentedControl
          label={t('which')}
          value={status}
          options={STATUSES.map((value) => ({ value, label: words(value) }))}
          onChange={setStatus}
        />
      )}
      <Card>
        <h2 className="visually-hidden">{t(`list.${status}`)}</h2>
        <QueryState
          query={list}
          lines={6}
          isEmpty={people.length === 0}
          empty={<Empty title={t(search ? 'list.notFound' : `list.empty.${status}`)} icon={<UsersRound aria-hidden="true" />} />}
        />
        <PersonList label={t(`list.${status}`)}>
          {people.map((member) => (
            <MemberRow key={member.id} space={space} member={member} />
          ))}
        </PersonList>
        <LoadMore list={list} />
      </Card>
      {adding && <AddMember space={space} onClose={() => setAdding(false)} />}
    </>
  )
}
