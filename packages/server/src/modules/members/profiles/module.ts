import { api } from '@lyceum/contract'
import type { Module } from '../../../core/module.ts'
import { profileHandlers } from './routes.ts'

export const profiles: Module = { name: 'profiles', mount: (mount) => mount('profiles', api.profiles, profileHandlers) }
