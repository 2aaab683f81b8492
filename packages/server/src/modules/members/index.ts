export { assertMayActOn, banByRule, changeAccount } from './directory/account-status.ts'
export { renderMessage } from './mentions.ts'
export { type ProfileRow, profileAbilities, profileById, profileFor, seesActivity } from './profile-access.ts'
export { completeness, type Fillable } from './profiles/completeness.ts'
