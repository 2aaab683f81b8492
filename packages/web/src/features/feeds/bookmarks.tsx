import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../ui/feedback.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import style from './bookmarks.module.css'
import { FeedList } from './feed-list.tsx'
import home from './home.module.css'
import { type BookmarkOrder, bookmarkListQuery } from './queries.ts'

const ORDERS = ['latest', 'oldest', 'new_activity', 'popular'] as const satisfies readonly BookmarkOrder[]

export const BookmarksPage = () => {
  const { t } = useTranslation('feeds')
  const [order, setOrder] = useState<(typeof ORDERS)[number]>('latest')
  return (
    <div className={home.page}>
      <header className={style.head}>
        <PageTitle>{t('bookmarks.title')}</PageTitle>
        <h1>{t('bookmarks.title')}</h1>
        <select
          className={home.filter}
          aria-label={t('feed.orderBy')}
          value={order}
          onChange={({ currentTarget: { value } }) => setOrder(ORDERS.find((name) => name === value) ?? 'latest')}
        >
          {ORDERS.map((name) => (
            <option key={name} value={name}>
              {t(`bookmarks.order.${name}`)}
            </option>
          ))}
        </select>
      </header>
      <FeedList
        key={order}
        query={bookmarkListQuery(order)}
        empty={
          <Empty title={t('bookmarks.empty')} icon={<Bookmark />}>
            <p>{t('bookmarks.emptyHint')}</p>
          </Empty>
        }
      />
    </div>
  )
}
