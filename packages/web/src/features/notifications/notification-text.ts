import type { TFunction } from 'i18next'
import type { Notification } from './queries.ts'

/** Upper limit of the actor count of one notification. */
const MOST_COUNTED = 100

const whoActed = (t: TFunction<'notifications'>, { xprofile: { display_name: name }, actors_count }: Notification): string => {
  const count = actors_count - 1
  if (count === 0) return name
  return actors_count >= MOST_COUNTED ? t('othersMany', { name, count }) : t('others', { name, count })
}

const joined = (...parts: readonly (string | false)[]): string | undefined => parts.filter(Boolean).join('_') || undefined

/** The variant of the notification's text. */
const wordingOf = ({ type, object_type, about }: Notification): string | undefined => {
  const within = about.feed !== '' && 'in'
  const comment = object_type === 'comment' && 'comment'
  if (type === 'mention') return joined(about.everyone && 'everyone', comment, within)
  if (type === 'new_reply') return joined(within)
  if (type === 'new_reaction') return joined(comment)
  return joined(about.pending && 'pending')
}

/** The translated text of a notification. Moderation messages come with their own text. */
export const said = (t: TFunction<'notifications'>, notification: Notification): string => {
  const { type, title, actors_count, about } = notification
  if (type === 'moderation') return title
  const quoted = (text: string) => (text === '' ? '' : t('quoted', { text }))
  const words = { who: whoActed(t, notification), feed: quoted(about.feed), comment: quoted(about.comment), place: quoted(about.place) }
  return t(`said.${type}`, { ...words, count: actors_count, context: wordingOf(notification) })
}
