export { createAccount, createApplicationPassword, setRole } from './accounts.ts'
