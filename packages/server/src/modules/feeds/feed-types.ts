import { FEED_TYPES } from '@lyceum/contract'

/** Two types mean the same: a plain feed is one that is none of the others. */
export const isPlain = (type: string | undefined) => type === 'feed' || type === 'text'
export const OTHER_KINDS: readonly string[] = FEED_TYPES.filter((type) => !isPlain(type))
/** The same as SQL. */
export const OTHER_TYPES = OTHER_KINDS.map((type) => `'${type}'`).join(', ')
