import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Activity, Compass, Lock, MessageCircle, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { queryClient } from '../../lib/query.ts'
import { keys } from '../../lib/query-keys.ts'
import { useMe } from '../../lib/session.ts'
import { fullDateTime, relativeTime } from '../../lib/time.ts'
import { pathOf } from '../../lib/urls.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { HtmlContent } from '../../ui/html-content.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { FeedList } from '../feeds/feed-list.tsx'
import { SpaceCard } from '../spaces/space-card.tsx'
import { PersonList, PersonRow } from './person-row.tsx'
import style from './profile.module.css'
import {
  activityQuery,
  commentsQuery,
  type FollowSide,
  followListQuery,
  followStatusQuery,
  profileQuery,
  profileSpacesQuery,
} from './queries.ts'

const route = getRouteApi('/members/people/$username')
const sideRoute = getRouteApi('/members/people/$username/$side')

const useProfile = () => useSuspenseQuery(profileQuery(route.useParams().username)).data

export const ProfilePosts = () => <FeedList filter={{ user_id: useProfile().user_id }} />

/** Comments of a member, each with the post it belongs to. */
export const ProfileComments = () => {
  const { t } = useTranslation('people')
  const list = useInfiniteQuery(commentsQuery(useProfile().username))
  const comments = list.data?.pages.flatMap((page) => page.comments.data) ?? []
  if (!list.data) return <QueryState query={list} lines={6} />
  if (comments.length === 0) return <Empty title={t('empty.comments')} icon={<MessageCircle aria-hidden="true" />} />
  return (
    <div className={style.list}>
      {comments.map((comment) => (
        <Card key={comment.id} className={style.comment}>
          <header>
            <Link to={pathOf(comment.post.permalink)}>{comment.post.title || t('aPost')}</Link>
            {' · '}
            <time dateTime={`${comment.created_at.replace(' ', 'T')}Z`} title={fullDateTime(comment.created_at)}>
              {relativeTime(comment.created_at)}
            </time>
          </header>
          <HtmlContent html={comment.message_rendered} />
        </Card>
      ))}
      <LoadMore list={list} />
    </div>
  )
}

export const ProfileSpaces = () => {
  const { t } = useTranslation('people')
  const spaces = useQuery(profileSpacesQuery(useProfile().username))
  if (!spaces.data) return <QueryState query={spaces} lines={6} />
  if (spaces.data.length === 0) return <Empty title={t('empty.spaces')} icon={<Compass aria-hidden="true" />} />
  return (
    <section aria-labelledby="profile-spaces">
      <h2 id="profile-spaces" className="visually-hidden">
        {t('tab.spaces')}
      </h2>
      <ul className={style.list}>
        {spaces.data.map((space) => (
          <SpaceCard key={space.id} space={space} />
        ))}
      </ul>
    </section>
  )
}

/** Content of a private profile: visible to its owner, their followers and moderators. */
const ForFollowers = ({ children }: { readonly children: ReactNode }) => {
  const { t } = useTranslation('people')
  const me = useMe()
  const profile = useProfile()
  const isOpen = !profile.is_private || profile.user_id === me.user_id || me.permissions.length > 0
  const follow = useQuery({ ...followStatusQuery(profile.username), enabled: !isOpen })
  if (isOpen || follow.data?.is_following) return children
  if (follow.isPending) return <Skeleton lines={6} />
  return (
    <Empty title={t('closed')} icon={<Lock aria-hidden="true" />}>
      <p>{t('closedText')}</p>
    </Empty>
  )
}

const isSide = (side: string): side is FollowSide => side === 'followers' || side === 'following'

/** Followers of a member, or who they follow. */
export const ProfileFollows = () => {
  const { side } = sideRoute.useParams()
  const { t } = useTranslation('people')
  if (!isSide(side)) return <Empty title={t('nothingHere')} />
  return (
    <ForFollowers>
      <Follows side={side} />
    </ForFollowers>
  )
}

const Follows = ({ side }: { readonly side: FollowSide }) => {
  const { t } = useTranslation('people')
  const me = useMe()
  const profile = useProfile()
  const [removing, setRemoving] = useState<{ readonly username: string; readonly display_name: string } | null>(null)
  const list = useInfiniteQuery(followListQuery(profile.username, side))
  const people = list.data?.pages.flatMap((page) => page.data) ?? []
  const own = side === 'followers' && profile.user_id === me.user_id
  if (!list.data) return <QueryState query={list} lines={6} />
  if (people.length === 0) return <Empty title={t(`empty.${side}`)} icon={<UsersRound aria-hidden="true" />} />
  return (
    <Card>
      <h2 className="visually-hidden">{t(`tab.${side}`)}</h2>
      <PersonList label={t(`tab.${side}`)}>
        {people.map(({ id, xprofile }) => (
          <PersonRow key={id} person={xprofile} about={xprofile.short_description}>
            {own && (
              <Button
                kind="quiet"
                onClick={() => setRemoving(xprofile)}
                aria-label={t('follow.removeLabel', { name: xprofile.display_name })}
              >
                {t('follow.remove')}
              </Button>
            )}
          </PersonRow>
        ))}
      </PersonList>
      <LoadMore list={list} />
      {removing && (
        <Confirm
          title={t('follow.removeTitle', { name: removing.display_name })}
          action={t('follow.remove')}
          onConfirm={async () => {
            await client.followers.removeFollower({ username: removing.username })
            await queryClient.invalidateQueries({ queryKey: keys.profiles.all })
          }}
          onClose={() => setRemoving(null)}
        >
          <p>{t('follow.removeText')}</p>
        </Confirm>
      )}
    </Card>
  )
}

export const ProfileActivity = () => (
  <ForFollowers>
    <Activities />
  </ForFollowers>
)

const Activities = () => {
  const { t } = useTranslation('people')
  const list = useInfiniteQuery(activityQuery(useProfile().user_id))
  const activities = list.data?.pages.flatMap((page) => page.activities.data) ?? []
  if (!list.data) return <QueryState query={list} lines={6} />
  if (activities.length === 0) return <Empty title={t('empty.activity')} icon={<Activity aria-hidden="true" />} />
  return (
    <Card>
      <h2 className="visually-hidden">{t('tab.activity')}</h2>
      <ul>
        {activities.map(({ id, message, created_at }) => (
          <li key={id} className={style.activity}>
            <HtmlContent html={message} />
            <time dateTime={`${created_at.replace(' ', 'T')}Z`} title={fullDateTime(created_at)}>
              {relativeTime(created_at)}
            </time>
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </Card>
  )
}
