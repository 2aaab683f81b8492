export { mentionedUsers, renderMessage } from './mentions.ts'
export { profileAbilities, profileFor, seesActivity } from './person.ts'
export type { ProfileRow } from './profile-row.ts'
