import type { ArchiveRecord } from '@lyceum/contract/archive'

export type ReactionType = ArchiveRecord<'reactions'>['type']

/** Patterns that map site-defined reactions to reaction types. */
const KINDS: readonly (readonly [RegExp, ReactionType])[] = [
  [/love|heart|adore|❤|😍|🥰|\b(?:2764|1f60d|1f970)\b/iu, 'love'],
  [/laugh|haha|funny|lol|joy|😂|😆|🤣|\b(?:1f602|1f606|1f923)\b/iu, 'laugh'],
  [/wow|surpris|amaz|astonish|shock|😮|😲|\b(?:1f62e|1f632)\b/iu, 'wow'],
  [/sad|cry|tear|sorry|😢|😥|😭|\b(?:1f622|1f625|1f62d)\b/iu, 'sad'],
  [/angry|anger|\bmad\b|rage|😠|😡|\b(?:1f620|1f621)\b/iu, 'angry'],
  [/like|thumb|👍|\b1f44d\b/iu, 'like'],
]

/** The reaction type by the first text that matches; unknown reactions are likes. */
export const reactionType = (...texts: readonly string[]): ReactionType => {
  for (const text of texts) {
    const found = KINDS.find(([pattern]) => pattern.test(text))
    if (found) return found[1]
  }
  return 'like'
}
