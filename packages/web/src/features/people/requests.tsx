import { useQuery } from '@tanstack/react-query'
import { UserRoundCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { relativeTime } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { answerRequest } from './actions.ts'
import style from './directory.module.css'
import { PersonList, PersonRow } from './person-row.tsx'
import { requestsQuery } from './queries.ts'

/** The user's incoming follow requests. */
export const RequestsPage = () => {
  const { t } = useTranslation('people')
  const requests = useQuery(requestsQuery)
  return (
    <div className={style.page}>
      <PageTitle>{t('requests.title')}</PageTitle>
      <h1>{t('requests.title')}</h1>
      <QueryState
        query={requests}
        placeholder={
          <Card>
            <Skeleton lines={5} />
          </Card>
        }
        isEmpty={requests.data?.data.length === 0}
        empty={
          <Empty title={t('requests.empty')} icon={<UserRoundCheck aria-hidden="true" />}>
            <p>{t('requests.emptyText')}</p>
          </Empty>
        }
      />
      {requests.data && requests.data.data.length > 0 && (
        <Card>
          <PersonList label={t('requests.title')}>
            {requests.data.data.map(({ id, follower, created_at }) => (
              <PersonRow
                key={id}
                person={follower}
                about={t('requests.requestedAt', { username: follower.username, when: relativeTime(created_at) })}
              >
                <Button
                  kind="primary"
                  onClick={() => answerRequest(id, true)}
                  aria-label={t('requests.acceptLabel', { name: follower.display_name })}
                >
                  {t('requests.accept')}
                </Button>
                <Button onClick={() => answerRequest(id, false)} aria-label={t('requests.declineLabel', { name: follower.display_name })}>
                  {t('requests.decline')}
                </Button>
              </PersonRow>
            ))}
          </PersonList>
        </Card>
      )}
    </div>
  )
}
