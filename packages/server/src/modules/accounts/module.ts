import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { accountHandlers } from './account-routes.ts'
import { authHandlers } from './auth-routes.ts'
import {
  mailApplicationPassword,
  mailEmailChanged,
  mailNewAddress,
  mailPasswordChanged,
  mailResetLink,
  mailVerification,
  mailWelcome,
  welcomeNewcomers,
} from './mail.ts'

export const accounts: Module = {
  name: 'accounts',
  mount: (mount) => {
    mount('auth', api.auth, authHandlers)
    mount('account', api.account, accountHandlers)
  },
  listeners: [welcomeNewcomers],
  jobs: [mailResetLink, mailVerification, mailPasswordChanged, mailApplicationPassword, mailNewAddress, mailEmailChanged, mailWelcome],
}
