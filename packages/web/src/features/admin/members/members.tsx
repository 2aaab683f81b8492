import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/feedback.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { PageHeader, Tag } from '../form-kit.tsx'
import { MemberDialog } from './member-dialog.tsx'
import style from './members.module.css'
import { type Member, type MemberFilter, membersQuery } from './queries.ts'

const STATUSES = ['active', 'suspended', 'banned', 'unverified', 'pending'] as const
const ROLES = ['admin', 'moderator', 'member'] as const

/** All accounts, with search and account status. */
export const MembersPage = () => {
  const { t } = useTranslation('admin')
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('active')
  const [role, setRole] = useState('')
  const [edited, setEdited] = useState<Member | null>(null)
  const filter: MemberFilter = { status, ...(search.length > 1 && { search }), ...(role && { role: role as (typeof ROLES)[number] }) }
  const list = useInfiniteQuery(membersQuery(filter))
  const members = list.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <PageHeader title={t('area.members')} about={t('members.about')} />
      <SearchBox label={t('members.search')} value={search} onChange={setSearch} />
      <div className={style.filters}>
        <SelectField label={t('members.status')} value={status} onChange={(event) => setStatus(event.currentTarget.value as typeof status)}>
          {STATUSES.map((value) => (
            <option key={value} value={value}>
              {t(`status.${value}`)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('members.role')} value={role} onChange={(event) => setRole(event.currentTarget.value)}>
          <option value="">{t('any')}</option>
          {ROLES.map((value) => (
            <option key={value} value={value}>
              {t(`role.${value}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <QueryState
        query={list}
        lines={8}
        isEmpty={members.length === 0}
        empty={<Empty title={t('members.empty')} icon={<Users aria-hidden="true" />} />}
      />
      {members.length > 0 && (
        <Card>
          <ul className={style.rows}>
            {members.map((member) => (
              <li key={member.user_id} className={style.row}>
                <Avatar name={member.display_name} src={member.avatar} />
                <div className={style.who}>
                  <div className={style.tags}>
                    <Link to={`/people/${member.username}` as never}>{member.display_name}</Link>
                    {member.role !== 'member' && <Tag kind="good">{t(`role.${member.role}`)}</Tag>}
                    {member.is_verified === 1 && <Tag>{t('members.verified')}</Tag>}
                  </div>
                  <p className={style.soft}>@{member.username}</p>
                </div>
                <Button onClick={() => setEdited(member)} aria-label={t('members.editOf', { name: member.display_name })}>
                  {t('common:edit')}
                </Button>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <LoadMore list={list} />
      {edited && <MemberDialog member={edited} onClose={() => setEdited(null)} />}
    </>
  )
}
