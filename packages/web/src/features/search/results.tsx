import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GraduationCap, SearchX, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { relativeTime } from '../../lib/time.ts'
import { pathOf } from '../../lib/urls.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Empty, Failure, Skeleton } from '../../ui/feedback.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { feedListQuery } from '../feeds/queries.ts'
import { excerptOf, Highlight } from './highlight.tsx'
import { searchQuery } from './queries.ts'
import style from './search.module.css'

interface PartProps {
  readonly name: 'posts' | 'people' | 'spaces' | 'courses'
  readonly total: number
  readonly children: ReactNode
}

const Part = ({ name, total, children }: PartProps) => {
  const { t } = useTranslation('search')
  if (total === 0) return null
  return (
    <section className={style.part} aria-labelledby={`found-${name}`}>
      <header className={style.head}>
        <h2 id={`found-${name}`}>{t(`parts.${name}`)}</h2>
        <span className={style.soft}>{t('found', { count: total })}</span>
      </header>
      {children}
    </section>
  )
}

interface HitProps {
  readonly to: string
  readonly picture: ReactNode
  readonly title: string
  readonly about: string
  readonly sought: string
}

const Hit = ({ to, picture, title, about, sought }: HitProps) => (
  <li>
    <Link to={to as never} className={style.hit}>
      {picture}
      <span className={style.words}>
        <strong>
          <Highlight text={title} sought={sought} />
        </strong>
        {about && (
          <span className={style.about}>
            <Highlight text={about} sought={sought} />
          </span>
        )}
      </span>
    </Link>
  </li>
)

export const Results = ({ sought }: { readonly sought: string }) => {
  const { t } = useTranslation(['search', 'feeds'])
  const posts = useInfiniteQuery(feedListQuery({ search: sought }))
  const others = useQuery(searchQuery(sought))
  const feeds = posts.data?.pages.flatMap((page) => page.feeds.data) ?? []
  if (posts.isPending && others.isPending) return <Skeleton lines={8} />
  if (posts.isError && others.isError)
    return <Failure error={posts.error} onRetry={() => Promise.all([posts.refetch(), others.refetch()])} />
  const { people, spaces, courses } = others.data ?? {}
  const total = feeds.length + (people?.total ?? 0) + (spaces?.total ?? 0) + (courses?.total ?? 0)
  if (total === 0 && posts.isSuccess && others.isSuccess && !others.isPlaceholderData)
    return (
      <Empty title={t('none', { query: sought })} icon={<SearchX />}>
        <p>{t('noneHint')}</p>
      </Empty>
    )
  return (
    <div className={style.results} aria-busy={posts.isFetching || others.isFetching}>
      <div className={style.others}>
        <Part name="people" total={people?.total ?? 0}>
          <ul>
            {people?.data.map(({ user_id, username, display_name, avatar, short_description }) => (
              <Hit
                key={user_id}
                to={`/people/${username}`}
                picture={<Avatar name={display_name} src={avatar} />}
                title={display_name}
                about={`@${username}${short_description ? ` · ${short_description}` : ''}`}
                sought={sought}
              />
            ))}
          </ul>
        </Part>
        <Part name="spaces" total={spaces?.total ?? 0}>
          <ul>
            {spaces?.data.map(({ id, slug, title, description_rendered, settings }) => (
              <Hit
                key={id}
                to={`/spaces/${slug}`}
                picture={<span className={style.sign}>{settings.emoji || <UsersRound aria-hidden="true" />}</span>}
                title={title}
                about={excerptOf(description_rendered, sought)}
                sought={sought}
              />
            ))}
          </ul>
        </Part>
        <Part name="courses" total={courses?.total ?? 0}>
          <ul>
            {courses?.data.map(({ id, slug, title, description }) => (
              <Hit
                key={id}
                to={`/courses/${slug}`}
                picture={
                  <span className={style.sign}>
                    <GraduationCap aria-hidden="true" />
                  </span>
                }
                title={title}
                about={description.slice(0, 200)}
                sought={sought}
              />
            ))}
          </ul>
        </Part>
      </div>
      <Part name="posts" total={posts.data?.pages[0]?.feeds.total ?? 0}>
        <ul>
          {feeds.map((feed) => (
            <Hit
              key={feed.id}
              to={pathOf(feed.permalink)}
              picture={<Avatar name={feed.xprofile.display_name} src={feed.xprofile.avatar} />}
              title={feed.title || t('feeds:feed.by', { name: feed.xprofile.display_name })}
              about={`${[feed.title && feed.xprofile.display_name, feed.space?.title, relativeTime(feed.created_at)].filter(Boolean).join(' · ')} — ${excerptOf(feed.message_rendered, sought)}`}
              sought={sought}
            />
          ))}
        </ul>
        <LoadMore list={posts} />
      </Part>
    </div>
  )
}
