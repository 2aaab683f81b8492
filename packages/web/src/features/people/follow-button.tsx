import { useQuery } from '@tanstack/react-query'
import { Clock, UserCheck, UserPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { follow, unfollow } from './actions.ts'
import { followStatusQuery, type Profile } from './queries.ts'

/** Follow, request to follow or unfollow. */
export const FollowButton = ({ profile }: { readonly profile: Profile }) => {
  const { t } = useTranslation('people')
  const { data } = useQuery(followStatusQuery(profile.username))
  const name = profile.display_name
  if (!data) return null
  if (data.status === 'active')
    return (
      <Button icon={<UserCheck aria-hidden="true" />} onClick={() => unfollow(profile)} aria-label={t('follow.unfollowLabel', { name })}>
        {t('follow.following')}
      </Button>
    )
  if (data.status === 'pending')
    return (
      <Button icon={<Clock aria-hidden="true" />} onClick={() => unfollow(profile)} aria-label={t('follow.cancelLabel', { name })}>
        {t('follow.requested')}
      </Button>
    )
  return (
    <Button kind="primary" icon={<UserPlus aria-hidden="true" />} onClick={() => follow(profile)}>
      {t(profile.is_private ? 'follow.request' : data.is_followed_by ? 'follow.back' : 'follow.follow')}
    </Button>
  )
}
