export { recordSignInFailure } from './sign-in-failures.ts'
export { audit } from './write-entry.ts'
