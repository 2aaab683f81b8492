import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '../../../ui/avatar.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { FormSection } from '../form-kit.tsx'
import { CsvLink } from './csv-link.tsx'
import style from './dashboard.module.css'
import { topListsQuery } from './queries.ts'
import type { Range } from './ranges.ts'

interface Row {
  readonly id: number
  readonly name: ReactNode
  readonly picture?: { readonly name: string; readonly src: string }
  readonly value: string
}

interface ListProps {
  readonly title: string
  readonly rows: readonly Row[]
  readonly csv: ReactNode
}

const TopList = ({ title, rows, csv }: ListProps) => {
  const { t } = useTranslation('admin')
  return (
    <FormSection title={title} acts={csv}>
      {rows.length === 0 && <p className={style.soft}>{t('dashboard.empty')}</p>}
      <ol className={style.top} hidden={rows.length === 0}>
        {rows.map(({ id, name, picture, value }) => (
          <li key={id}>
            {picture && <Avatar {...picture} size="small" />}
            <span className={style.name}>{name}</span>
            <span className={style.soft}>{value}</span>
          </li>
        ))}
      </ol>
    </FormSection>
  )
}

export const TopLists = ({ range }: { readonly range: Range }) => {
  const { t } = useTranslation('admin')
  const tops = useQuery(topListsQuery(range))
  if (!tops.data) return <QueryState query={tops} lines={6} />
  const { members, starters, commenters, spaces } = tops.data
  const person = ({
    id,
    display_name,
    username,
    avatar,
  }: Pick<(typeof members)[number], 'id' | 'display_name' | 'username' | 'avatar'>) => ({
    id,
    name: <Link to={`/people/${username}` as never}>{display_name || username}</Link>,
    picture: { name: display_name || username, src: avatar },
  })
  const csv = (of: Parameters<typeof CsvLink>[0]['of'], about: string) => <CsvLink of={of} range={range} about={about} />
  return (
    <div className={style.tops}>
      <TopList
        title={t('top.members')}
        rows={members.map((row) => ({ ...person(row), value: t('top.score', { count: row.engagement_score }) }))}
        csv={csv('topMembers', t('top.members'))}
      />
      <TopList
        title={t('top.spaces')}
        rows={spaces.map(({ id, title, slug, engagement_score }) => ({
          id,
          name: <Link to={`/spaces/${slug}` as never}>{title}</Link>,
          value: t('top.score', { count: engagement_score }),
        }))}
        csv={csv('popularSpaces', t('top.spaces'))}
      />
      <TopList
        title={t('top.posters')}
        rows={starters.map((row) => ({ ...person(row), value: t('top.posts', { count: row.posts_count }) }))}
        csv={csv('topPostStarters', t('top.posters'))}
      />
      <TopList
        title={t('top.commenters')}
        rows={commenters.map((row) => ({ ...person(row), value: t('top.comments', { count: row.comments_count }) }))}
        csv={csv('topCommenters', t('top.commenters'))}
      />
    </div>
  )
}
