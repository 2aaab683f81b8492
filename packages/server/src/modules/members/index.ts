export { mentionedUsers, renderMessage } from './mentions.ts'
export { profileAbilities, profileFor } from './person.ts'
export type { ProfileRow } from './profile-row.ts'
