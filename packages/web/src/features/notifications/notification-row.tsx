import { Link } from '@tanstack/react-router'
import {
  AtSign,
  Check,
  GraduationCap,
  Heart,
  type LucideIcon,
  MessageCircle,
  Reply,
  ShieldAlert,
  UserPlus,
  UsersRound,
  X,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../lib/session.ts'
import { fullDateTime, relativeTime } from '../../lib/time.ts'
import { pathOf } from '../../lib/urls.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { markRead, remove } from './actions.ts'
import { notificationText } from './notification-text.ts'
import style from './notifications.module.css'
import type { Notification } from './queries.ts'

const PICTURES: Readonly<Record<Notification['type'], LucideIcon>> = {
  new_comment: MessageCircle,
  new_reply: Reply,
  new_reaction: Heart,
  new_follower: UserPlus,
  mention: AtSign,
  space_invite: UsersRound,
  space_join: UsersRound,
  course_enrollment: GraduationCap,
  lesson_complete: GraduationCap,
  moderation: ShieldAlert,
}

/** One notification. Opening it marks it as read. */
export const NotificationRow = ({ notification }: { readonly notification: Notification }) => {
  const { t } = useTranslation('notifications')
  const me = useMe()
  const { type, actor_id, title, message, is_read, xprofile, updated_at, action_url } = notification
  const Picture = PICTURES[type]
  return (
    <li className={style.row} data-unread={is_read ? undefined : ''}>
      {/* Notifications without an actor, such as moderation decisions, show an icon instead of an avatar. */}
      {actor_id === me.user_id ? (
        <span className={style.sign} aria-hidden="true">
          <Picture />
        </span>
      ) : (
        <span className={style.face}>
          <Avatar name={xprofile.display_name} src={xprofile.avatar} />
          <span className={style.kind} aria-hidden="true">
            <Picture />
          </span>
        </span>
      )}
      <div className={style.words}>
        <Link to={pathOf(action_url)} className={style.link} onClick={() => void markRead(notification)}>
          {!is_read && <span className="visually-hidden">{t('new')} </span>}
          {notificationText(t, notification)}
        </Link>
        {message && message !== title && <p className={style.message}>{message}</p>}
        <time className={style.time} dateTime={`${updated_at.replace(' ', 'T')}Z`} title={fullDateTime(updated_at)}>
          {relativeTime(updated_at)}
        </time>
      </div>
      <span className={style.tools}>
        {!is_read && (
          <IconButton label={t('read')} onClick={() => markRead(notification)}>
            <Check aria-hidden="true" />
          </IconButton>
        )}
        <IconButton label={t('delete')} onClick={() => remove(notification)}>
          <X aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  )
}
