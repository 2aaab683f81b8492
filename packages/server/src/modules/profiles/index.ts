import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { profileHandlers } from './routes.ts'

export { profileAbilities, profileFor } from './access.ts'
export type { ProfileRow } from './queries.ts'
export { completeness } from './rules.ts'

export const profiles: Module = { name: 'profiles', mount: (mount) => mount('profiles', api.profiles, profileHandlers) }
