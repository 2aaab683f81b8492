export { eraseReactions } from './erase.ts'
export { loadReactionFacts, type ReactionFacts } from './facts.ts'
