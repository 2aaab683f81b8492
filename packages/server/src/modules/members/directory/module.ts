import { api } from '@lyceum/contract'
import type { Module } from '../../../core/module.ts'
import { directoryHandlers } from './routes.ts'

export const directory: Module = { name: 'directory', mount: (mount) => mount('members', api.members, directoryHandlers) }
