export { banByRule, changeAccount, checkReach } from './account-status.ts'
