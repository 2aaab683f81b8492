import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../lib/session.ts'
import { FeedList } from './feed-list.tsx'
import { QuickComposer } from './quick-composer.tsx'
import { sessionQuery } from '../../lib/session.ts'
import style from './home.module.css'

/** What is new in all places of the member. */
export const HomePage = () => {
  const { t } = useTranslation('feeds')
  useSuspenseQuery(sessionQuery)
  const me = useMe()
  return (
    <div className={style.page}>
      <h1 className="visually-hidden">{t('feed.title')}</h1>
      <QuickComposer name={me.display_name} avatar={me.avatar} />
      <FeedList filter={{}} />
    </div>
  )
}
