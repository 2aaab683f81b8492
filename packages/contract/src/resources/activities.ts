import { Type } from 'typebox'
import { route } from '../route.ts'
import { Id } from '../shapes/common.ts'

export const ACTION_TYPES = [
  'post_created',
  'comment_added',
  'reaction_added',
  'space_joined',
  'space_created',
  'course_enrolled',
  'lesson_completed',
  'profile_updated',
  'follow_user',
  'bookmark_added',
] as const
export type ActionType = (typeof ACTION_TYPES)[number]

export const activities = {
  ticker: route({
    method: 'GET',
    path: '/feeds/ticker',
    access: 'member',
    summary: 'The 20 newest visible activities',
    response: Type.Object({
      activities: Type.Array(
        Type.Object({
          type: Type.String(),
          user: Type.Object({ id: Id, display_name: Type.String(), username: Type.String(), avatar: Type.String() }),
          action: Type.String(),
          target: Type.Object({ type: Type.String(), id: Id, title: Type.String(), url: Type.String() }),
          timestamp: Type.String({ description: 'Relative: “5 minutes ago”' }),
        }),
      ),
    }),
  }),
} as const
