import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../lib/community.ts'
import { useMe } from '../../lib/session.ts'
import { useIsExtraWide } from '../../lib/use-breakpoint.ts'
import { Empty } from '../../ui/feedback.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { welcomeQuery } from '../community/queries.ts'
import { FeedList } from './feed-list.tsx'
import style from './home.module.css'
import { homeFilter, ORDERS, type Order } from './home-filter.ts'
import { NewPosts } from './new-posts.tsx'
import { topicsQuery } from './queries.ts'
import { QuickComposer } from './quick-composer.tsx'

const Sidebar = lazy(() => import('../sidebar/sidebar.tsx').then((module) => ({ default: module.Sidebar })))
const WelcomeBanner = lazy(() => import('../community/welcome.tsx').then((module) => ({ default: module.WelcomeBanner })))

/** Posts from everywhere the user has access to. */
export const HomePage = () => {
  const { t } = useTranslation('feeds')
  const me = useMe()
  const search = useSearch({ from: '/members/' })
  const navigate = useNavigate({ from: '/' })
  const community = useQuery(communityQuery)
  const topics = useQuery({ ...topicsQuery(), enabled: community.data?.features.topics ?? false })
  const welcome = useQuery(welcomeQuery)
  const wide = useIsExtraWide()
  const filter = homeFilter(search)
  const { order, topic } = search
  return (
    <div className={style.columns} data-wide={wide || undefined}>
      <div className={style.page}>
        <PageTitle />
        <h1 className="visually-hidden">{t('feed.title')}</h1>
        {welcome.data && (
          <Suspense>
            <WelcomeBanner banner={welcome.data} />
          </Suspense>
        )}
        <QuickComposer name={me.display_name} avatar={me.avatar} />
        <div className={style.filters}>
          <select
            className={style.filter}
            aria-label={t('feed.orderBy')}
            value={order ?? 'newest'}
            onChange={({ currentTarget: { value } }) =>
              navigate({ search: { ...search, order: value === 'newest' ? undefined : (value as Order) } })
            }
          >
            {ORDERS.map((name) => (
              <option key={name} value={name}>
                {t(`feed.${name}`)}
              </option>
            ))}
          </select>
          {topics.data && topics.data.topics.length > 0 && (
            <select
              className={style.filter}
              aria-label={t('feed.topic')}
              value={topic ?? ''}
              onChange={({ currentTarget: { value } }) => navigate({ search: { ...search, topic: value || undefined } })}
            >
              <option value="">{t('feed.allTopics')}</option>
              {topics.data.topics.map(({ id, slug, title, icon }) => (
                <option key={id} value={slug}>
                  {icon.length <= 4 ? `${icon} ${title}`.trim() : title}
                </option>
              ))}
            </select>
          )}
        </div>
        {!topic && !order && <NewPosts filter={filter} />}
        <FeedList
          key={`${order} ${topic}`}
          filter={filter}
          {...((topic || order) && {
            empty: (
              <Empty title={t('feed.emptyFiltered')} icon={<MessagesSquare />}>
                <p>{t('feed.emptyFilteredHint')}</p>
              </Empty>
            ),
          })}
        />
      </div>
      {wide && (
        <Suspense fallback={<aside data-waiting />}>
          <Sidebar />
        </Suspense>
      )}
    </div>
  )
}
