export { recordSignInFailure } from './sign-in-failures.ts'
export { audit, auditEach } from './write-entry.ts'
