import { api } from '@lyceum/contract'
import type { Module } from '../../../core/module.ts'
import { managerHandlers } from './routes.ts'

export const managers: Module = { name: 'managers', mount: (mount) => mount('managers', api.managers, managerHandlers) }
