export const REACTIONS = ['like', 'love', 'laugh', 'wow', 'sad', 'angry'] as const
export type ReactionType = (typeof REACTIONS)[number]

export const REACTION_EMOJI: Readonly<Record<ReactionType, string>> = {
  like: '👍',
  love: '❤️',
  laugh: '😂',
  wow: '😮',
  sad: '😢',
  angry: '😠',
}

export const isReaction = (type: string | null): type is ReactionType => REACTIONS.some((known) => known === type)

interface Reacted {
  readonly has_user_react: string | null
  readonly reactions_count: number
  readonly reaction_types: { type: ReactionType; count: number }[]
}

/** The reaction after a click: the same one again removes it, another one replaces it. */
export const nextReaction = <T extends Reacted>(to: T, type: ReactionType): T => {
  const had = to.has_user_react
  const own = had === type ? null : type
  const counts = new Map(to.reaction_types.map((each) => [each.type, each.count]))
  if (isReaction(had)) counts.set(had, (counts.get(had) ?? 1) - 1)
  if (own) counts.set(own, (counts.get(own) ?? 0) + 1)
  return {
    ...to,
    has_user_react: own,
    reactions_count: to.reactions_count + (own ? 1 : 0) - (had ? 1 : 0),
    reaction_types: [...counts]
      .map(([each, count]) => ({ type: each, count }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)),
  }
}
