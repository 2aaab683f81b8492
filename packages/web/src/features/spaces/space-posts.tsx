import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../lib/session.ts'
import { FeedList } from '../feeds/feed-list.tsx'
import { QuickComposer } from '../feeds/quick-composer.tsx'
import { spaceQuery } from './queries.ts'
import style from './space-page.module.css'

const route = getRouteApi('/members/spaces/$slug/')

/** Posts of a space, pinned ones first. */
export const SpacePosts = () => {
  const { t } = useTranslation('spaces')
  const me = useMe()
  const { slug } = route.useParams()
  const { topic } = route.useSearch()
  const { data: space } = useSuspenseQuery(spaceQuery(slug))
  const order = space.settings.default_post_sort_by
  return (
    <>
      {space.permissions.can_create_post && <QuickComposer name={me.display_name} avatar={me.avatar} spaceId={space.id} />}
      {space.topics.length > 0 && (
        <nav className={style.topics} aria-label={t('topics')}>
          <Link to="/spaces/$slug" params={{ slug }} search={{}} className={style.topic} aria-current={topic ? undefined : 'true'}>
            {t('allTopics')}
          </Link>
          {space.topics.map(({ id, title, slug: name }) => (
            <Link
              key={id}
              to="/spaces/$slug"
              params={{ slug }}
              search={{ topic: name }}
              className={style.topic}
              aria-current={topic === name ? 'true' : undefined}
              resetScroll={false}
            >
              <bdi>#{title}</bdi>
            </Link>
          ))}
        </nav>
      )}
      <FeedList filter={{ space: slug, ...(topic && { topic_slug: topic }), ...(order && { order_by_type: order }) }} />
    </>
  )
}
