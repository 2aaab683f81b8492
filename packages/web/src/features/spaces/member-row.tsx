import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { useMe } from '../../lib/session.ts'
import { dateOf } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toasts.tsx'
import { PersonRow } from '../people/person-row.tsx'
import { refetchSpaces } from './actions.ts'
import type { SpaceDetail, SpaceMember } from './queries.ts'

const ROLES = ['member', 'moderator', 'admin'] as const

interface Props {
  readonly space: SpaceDetail
  readonly member: SpaceMember
}

/** A member of a space, with the actions for those who manage members. */
export const MemberRow = ({ space, member }: Props) => {
  const { t } = useTranslation('spaces')
  const me = useMe()
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState<'remove' | 'ban' | null>(null)
  const { user_id, xprofile, role, status } = member
  const who = { space_slug: space.slug, user_id }
  const act = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      toast(done)
      await refetchSpaces()
    } catch (error) {
      toast(errorMessage(error), 'failed')
    }
    setBusy(false)
  }
  const name = xprofile.display_name
  const remove = () => client.spaceMembers.removeByPath(who)
  const ban = () => client.spaceMembers.ban(who)
  const manages = space.permissions.can_remove_member && user_id !== me.user_id
  return (
    <PersonRow
      person={xprofile}
      mark={role === 'member' || status !== 'active' ? undefined : t(`role.${role}`)}
      about={t(status === 'pending' ? 'list.requestedOn' : 'list.joinedOn', {
        username: xprofile.username,
        date: dateOf(member.joined_at),
      })}
    >
      {manages && status === 'pending' && (
        <>
          <Button
            kind="primary"
            busy={busy}
            aria-label={t('list.approveLabel', { name })}
            onClick={() => act(() => client.spaceMembers.update({ ...who, status: 'active' }), t('list.approved', { name }))}
          >
            {t('list.approve')}
          </Button>
          <Button busy={busy} aria-label={t('list.rejectLabel', { name })} onClick={() => act(remove, t('list.rejected', { name }))}>
            {t('list.reject')}
          </Button>
        </>
      )}
      {manages && status === 'banned' && (
        <Button busy={busy} onClick={() => act(() => client.spaceMembers.unban(who), t('list.unbanned', { name }))}>
          {t('list.unban')}
        </Button>
      )}
      {manages && status === 'active' && (
        <Menu
          label={t('list.actions', { name })}
          trigger={<Ellipsis />}
          actions={[
            ...(space.permissions.community_admin
              ? ROLES.filter((other) => other !== role).map((other) => ({
                  label: t(`list.make.${other}`),
                  onAction: () => void act(() => client.spaceMembers.update({ ...who, role: other }), t('list.roleChanged', { name })),
                }))
              : []),
            { label: t('list.remove'), onAction: () => setAsking('remove') },
            { label: t('list.ban'), danger: true, onAction: () => setAsking('ban') },
          ]}
        />
      )}
      {asking && (
        <Confirm
          title={t(`list.${asking}Title`, { name })}
          action={t(`list.${asking}`)}
          onConfirm={async () => {
            await (asking === 'ban' ? ban() : remove())
            await refetchSpaces()
          }}
          onClose={() => setAsking(null)}
        >
          <p>{t(`list.${asking}Text`)}</p>
        </Confirm>
      )}
    </PersonRow>
  )
}
