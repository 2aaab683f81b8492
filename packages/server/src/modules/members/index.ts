export { mentionedUsers, renderMessage } from './mentions.ts'
export { profileAbilities, profileFor, seesActivity } from './profile-access.ts'
export type { ProfileRow } from './profile-row.ts'
