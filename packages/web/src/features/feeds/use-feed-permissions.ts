import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../lib/session.ts'
import { type Feed, type Space, spacesQuery } from './queries.ts'

export interface FeedPermissions {
  readonly own: boolean
  readonly edit: boolean
  readonly remove: boolean
  readonly pin: boolean
  readonly comment: boolean
  readonly react: boolean
  readonly editComments: boolean
  readonly removeComments: boolean
  readonly markHelpful: boolean
}

const inSpace = ({ permissions }: Space) => ({
  edit: permissions.edit_any_feed,
  remove: permissions.delete_any_feed,
  pin: permissions.can_pin_post,
  comment: permissions.can_comment,
  react: permissions.can_react,
  editComments: permissions.edit_any_comment,
  removeComments: permissions.delete_any_comment,
})

/** The user's permissions for a feed: those of its space, or of the session outside of spaces. */
export const useFeedPermissions = (feed: Feed): FeedPermissions => {
  const { user } = useSuspenseQuery(sessionQuery).data
  const spaces = useQuery({ ...spacesQuery, enabled: feed.space_id !== null })
  const has = (...names: readonly string[]) => user?.permissions.some((name) => name === 'moderate_spaces' || names.includes(name)) ?? false
  const space = spaces.data?.find(({ id }) => id === feed.space_id)
  const around = space
    ? inSpace(space)
    : {
        edit: has('manage_feeds'),
        remove: has('manage_feeds'),
        pin: has('pin_feeds'),
        comment: true,
        react: true,
        editComments: has('manage_comments'),
        removeComments: has('manage_comments'),
      }
  const own = feed.user_id === user?.user_id
  const isLesson = feed.type === 'course_lesson'
  return {
    ...around,
    own,
    comment: around.comment && feed.status === 'published' && feed.meta['comments_disabled'] !== true,
    react: around.react && feed.status === 'published',
    edit: !isLesson && (own || around.edit),
    remove: !isLesson && (own || around.remove),
    pin: !isLesson && around.pin,
    markHelpful: around.editComments || (feed.type === 'question' && own),
  }
}
