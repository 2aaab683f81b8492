import { Type } from '../typebox.ts'
import { Count, oneOf } from './common.ts'

export const REACTION_TYPES = ['like', 'love', 'laugh', 'wow', 'sad', 'angry'] as const
export type ReactionType = (typeof REACTION_TYPES)[number]

export const ReactionCounts = Type.Array(Type.Object({ type: oneOf(REACTION_TYPES), count: Count }), {
  description: 'Number of reactions by type, the most frequent first.',
})
