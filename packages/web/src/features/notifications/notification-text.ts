import type { TFunction } from 'i18next'
import type { Notification } from './queries.ts'

/** Upper limit of the actor count of one notification. */
const MAX_COUNTED_ACTORS = 100

const actorsOf = (t: TFunction<'notifications'>, { xprofile: { display_name: name }, actors_count }: Notification): string => {
  const count = actors_count - 1
  if (count === 0) return name
  return actors_count >= MAX_COUNTED_ACTORS ? t('othersMany', { name, count }) : t('others', { name, count })
}

const joined = (...parts: readonly (string | false)[]): string | undefined => parts.filter(Boolean).join('_') || undefined

/** The variant of the notification's text. */
const variantOf = ({ type, object_type, about }: Notification): string | undefined => {
  const within = about.feed !== '' && 'in'
  const comment = object_type === 'comment' && 'comment'
  if (type === 'mention') return joined(about.everyone && 'everyone', comment, within)
  if (type === 'new_reply') return joined(within)
  if (type === 'new_reaction') return joined(comment)
  return joined(about.pending && 'pending')
}

/** The translated text of a notification. Moderation messages come with their own text. */
export const notificationText = (t: TFunction<'notifications'>, notification: Notification): string => {
  const { type, title, actors_count, about } = notification
  if (type === 'moderation') return title
  const quoted = (text: string) => (text === '' ? '' : t('quoted', { text }))
  const values = { actor: actorsOf(t, notification), feed: quoted(about.feed), comment: quoted(about.comment), title: quoted(about.place) }
  return t(`text.${type}`, { ...values, count: actors_count, context: variantOf(notification) })
}
