export { eraseSignInFailures, recordSignInFailure } from './sign-in-failures.ts'
export { type AuditEntryInput, audit } from './write-entry.ts'
