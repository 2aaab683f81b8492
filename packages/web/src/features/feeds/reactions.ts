export const REACTIONS = ['like', 'love', 'laugh', 'wow', 'sad', 'angry'] as const
export type ReactionType = (typeof REACTIONS)[number]

export const FACES: Readonly<Record<ReactionType, string>> = { like: '👍', love: '❤️', laugh: '😂', wow: '😮', sad: '😢', angry: '😠' }

export const isReaction = (type: string | null): type is ReactionType => REACTIONS.some((known) => known === type)

/** What somebody's reaction becomes, and by how much the count changes: the same again takes it back, another takes its place. */
export const reacted = (had: string | null, type: ReactionType) => ({
  own: had === type ? null : type,
  more: had === type ? -1 : had ? 0 : 1,
})
