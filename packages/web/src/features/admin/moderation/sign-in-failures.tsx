import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fullDateTime, timeOfDay } from '../../../lib/time.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/feedback.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { PageHeader } from '../form-kit.tsx'
import audit from './audit.module.css'
import { byDay } from './days.ts'
import { type FailedSignIn, signInFailuresQuery } from './queries.ts'
import style from './sign-in-failures.module.css'

interface EntryProps {
  readonly failure: FailedSignIn
  /** Filters by account; undefined if already filtered. */
  readonly onOnly: ((id: number) => void) | undefined
}

const Entry = ({ failure: { user_id, username, network, created_at }, onOnly }: EntryProps) => {
  const { t } = useTranslation('admin')
  return (
    <li className={style.entry}>
      <time title={fullDateTime(created_at)}>{timeOfDay(created_at)}</time>
      <span className={style.who}>
        {username === null ? (
          <span className={style.soft}>{t(user_id === null ? 'signInFailures.unknown' : 'signInFailures.deleted')}</span>
        ) : (
          <Link to={`/people/${username}` as never}>@{username}</Link>
        )}
      </span>
      <span className={style.network}>{t('signInFailures.from', { network })}</span>
      {user_id !== null && onOnly && (
        <Button kind="quiet" onClick={() => onOnly(user_id)}>
          {t('signInFailures.only')}
          {username && <span className="visually-hidden">: {username}</span>}
        </Button>
      )}
    </li>
  )
}

/** Failed sign-ins of all accounts or of one. */
export const SignInFailuresPage = () => {
  const { t } = useTranslation('admin')
  const [userId, setUserId] = useState<number>()
  const list = useInfiniteQuery(signInFailuresQuery(userId))
  const failures = list.data?.pages.flatMap((page) => page.failures) ?? []
  return (
    <>
      <PageHeader title={t('area.signInFailures')} about={t('signInFailures.about')}>
        {userId !== undefined && <Button onClick={() => setUserId(undefined)}>{t('signInFailures.all')}</Button>}
      </PageHeader>
      <QueryState
        query={list}
        lines={8}
        isEmpty={failures.length === 0}
        empty={
          <Empty title={t('signInFailures.empty')} icon={<KeyRound aria-hidden="true" />}>
            <p>{t('signInFailures.emptyHint')}</p>
          </Empty>
        }
      />
      {byDay(failures).map(([name, own]) => (
        <Card key={name}>
          <h2 className={audit.day}>{name}</h2>
          <ul>
            {own.map((failure) => (
              <Entry key={failure.id} failure={failure} onOnly={userId === undefined ? setUserId : undefined} />
            ))}
          </ul>
        </Card>
      ))}
      <LoadMore list={list} />
    </>
  )
}
