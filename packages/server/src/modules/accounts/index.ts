export {
  checkAvailable,
  createAccount,
  createApplicationPassword,
  isWaiting,
  MANAGERS_LOCK,
  requireAnotherAdmin,
  setRole,
} from './accounts.ts'
export { requestEmailChange } from './email-change.ts'
export { endAccess, eraseAccountRow, eraseIdempotentResponses } from './erase.ts'
export { formerOwner } from './former-names.ts'
export { erasedForeignId } from './imported-names.ts'
export { mailApplicationPassword, recipient } from './mail.ts'
export { makeResetLink, makeVerifyLink, RESET_MINUTES, setupLink } from './one-time-links.ts'
export { type Account, accountById, activeAdmins, dropManager, hasAdmin, putManager, renewToken, setStatus } from './queries.ts'
export { expireExportsOf } from './revoke.ts'
export { confirmPassword } from './sign-in.ts'
export { claimNamesOf } from './signups.ts'
export { checkDisplayName, checkedAccount, cleanName, readUsername } from './validation.ts'
