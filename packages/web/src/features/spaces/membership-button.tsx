import { Check, Clock, LogIn } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { join, leave } from './actions.ts'
import type { Space } from './queries.ts'

interface Props {
  readonly space: Space
  /** A secondary style, for lists of spaces. */
  readonly among?: boolean
}

/** Joining, asking to join, taking that back, leaving: whichever can be done. */
export const MembershipButton = ({ space, among = false }: Props) => {
  const { t } = useTranslation('spaces')
  const [asking, setAsking] = useState(false)
  const status = space.space_pivot?.status
  if (status === 'banned') return null
  if (status === 'pending')
    return (
      <Button icon={<Clock aria-hidden="true" />} onClick={() => leave(space)} aria-label={t('withdrawFrom', { space: space.title })}>
        {t('requested')}
      </Button>
    )
  if (status === 'active')
    return (
      <>
        <Button
          icon={<Check aria-hidden="true" />}
          aria-label={t('leaveSpace', { space: space.title })}
          // A public space can be rejoined immediately; others require approval.
          onClick={() => (space.privacy === 'public' && space.role === 'member' ? leave(space) : setAsking(true))}
        >
          {t('joined')}
        </Button>
        {asking && (
          <Confirm
            title={t('leaveSure', { space: space.title })}
            action={t('leave')}
            onConfirm={() => leave(space)}
            onClose={() => setAsking(false)}
          >
            <p>{t('leaveText')}</p>
          </Confirm>
        )}
      </>
    )
  const { can_view_posts, can_comment, can_create_post } = space.permissions
  // Users who can read join immediately, whatever the privacy. Those who can participate without being a member need not join.
  const ask = !can_view_posts
  const isInside = can_comment || can_create_post
  return (
    <Button
      kind={among || isInside ? 'plain' : 'primary'}
      icon={<LogIn aria-hidden="true" />}
      onClick={() => join(space)}
      aria-label={t(ask ? 'askToJoin' : 'joinSpace', { space: space.title })}
    >
      {t(ask ? 'ask' : 'join')}
    </Button>
  )
}
