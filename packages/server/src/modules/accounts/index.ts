import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { accountHandlers } from './account-routes.ts'
import { authHandlers } from './auth-routes.ts'
import { mailEmailChanged, mailPasswordChanged, mailResetLink, mailWelcome, welcomeNewcomers } from './mail.ts'

export { checkFree, createAccount, createApplicationPassword, keepAnAdmin, type NewAccount, setRole } from './accounts.ts'
export { makeResetLink, RESET_MINUTES, setupLink } from './one-time.ts'
export { type AccountInput, checkedAccount, cleanName, readUsername } from './rules.ts'

export const accounts: Module = {
  name: 'accounts',
  mount: (mount) => {
    mount('auth', api.auth, authHandlers)
    mount('account', api.account, accountHandlers)
  },
  listeners: [welcomeNewcomers],
  jobs: [mailResetLink, mailPasswordChanged, mailEmailChanged, mailWelcome],
}
