import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { profileHandlers } from './routes.ts'

export { completeness, type Fillable } from './completeness.ts'

export const profiles: Module = { name: 'profiles', mount: (mount) => mount('profiles', api.profiles, profileHandlers) }
