import { api } from '@lyceum/contract'
import { nowOf, shift } from '../../core/clock.ts'
import type { Module } from '../../core/module.ts'
import { directoryHandlers } from './directory/routes.ts'
import { managerHandlers } from './managers/routes.ts'
import { profileHandlers } from './profiles/routes.ts'
import { mailRejected, mailRequest, notifyAdmins } from './registrations/mail.ts'
import { removeUnverified } from './registrations/queries.ts'
import { registrationHandlers } from './registrations/routes.ts'

/** Unconfirmed registrations are deleted after this many days, which releases their usernames. */
const UNVERIFIED_DAYS = 7

export const registrations: Module = {
  name: 'registrations',
  mount: (mount) => mount('registrations', api.registrations, registrationHandlers),
  listeners: [notifyAdmins],
  jobs: [mailRequest, mailRejected],
  recurringTasks: [
    {
      name: 'registrations',
      run: ({ database, clock }) => database.write((db) => removeUnverified(db, [shift(nowOf(clock), -UNVERIFIED_DAYS * 24 * 3600)])),
    },
  ],
}

export const members: Module = {
  name: 'members',
  mount: (mount) => {
    mount('profiles', api.profiles, profileHandlers)
    mount('members', api.members, directoryHandlers)
    mount('managers', api.managers, managerHandlers)
  },
}
