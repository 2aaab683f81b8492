import { Type } from 'typebox'
import { Datetime, Id, named, nullable, oneOf } from '../shapes/common.ts'

export const REACTION_TYPES = ['like', 'love', 'laugh', 'wow', 'sad', 'angry'] as const
export type ReactionType = (typeof REACTION_TYPES)[number]

export const Reaction = named('Reaction', {
  id: Id,
  user_id: Id,
  object_id: Id,
  parent_id: nullable(Id),
  object_type: oneOf(['feed', 'comment']),
  type: oneOf(REACTION_TYPES),
  ip_address: Type.String({ description: 'Empty for everybody but administrators' }),
  created_at: Datetime,
  updated_at: Datetime,
})
