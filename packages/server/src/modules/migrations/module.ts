import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { migrationAccess, migrationHandlers } from './routes.ts'
import { launchImport, sweepImportFiles } from './runs.ts'

export const migrations: Module = {
  name: 'migrations',
  mount: (mount) => mount('migrations', api.migrations, migrationHandlers, migrationAccess),
  jobs: [launchImport],
  recurringTasks: [{ name: 'import files', run: sweepImportFiles }],
}
