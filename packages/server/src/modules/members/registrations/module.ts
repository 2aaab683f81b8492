import { api } from '@lyceum/contract'
import { nowOf, shift } from '../../../core/clock.ts'
import type { Module } from '../../../core/module.ts'
import { deleteExpiredReservations } from '../../accounts/index.ts'
import { mailRejected, mailRequest, notifyAdmins } from './mail.ts'
import { removeUnverified } from './queries.ts'
import { registrationHandlers } from './routes.ts'

/** Unconfirmed registrations are deleted after this many days, which releases their usernames. */
const UNVERIFIED_DAYS = 7

export const registrations: Module = {
  name: 'registrations',
  mount: (mount) => mount('registrations', api.registrations, registrationHandlers),
  listeners: [notifyAdmins],
  jobs: [mailRequest, mailRejected],
  recurringTasks: [
    { name: 'former-usernames', run: deleteExpiredReservations },
    {
      name: 'registrations',
      run: ({ database, clock }) => database.write((db) => removeUnverified(db, shift(nowOf(clock), -UNVERIFIED_DAYS * 24 * 3600))),
    },
  ],
}
