import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { eraseInSteps, scrubDeleted } from './deletion.ts'
import { serveExports } from './download.ts'
import { dropArchives, makeExport, sweepExports } from './export-jobs.ts'
import { clearOutbox, deleteDeadLetters, mailDeleted, mailReady } from './mail.ts'
import { privacyHandlers } from './routes.ts'

export const privacy: Module = {
  name: 'privacy',
  mount: (mount) => mount('privacy', api.privacy, privacyHandlers),
  pages: serveExports,
  jobs: [eraseInSteps, mailDeleted, clearOutbox, mailReady, makeExport, dropArchives],
  recurringTasks: [
    { name: 'exports', run: sweepExports },
    { name: 'farewells', run: deleteDeadLetters },
    { name: 'scrub', run: scrubDeleted },
  ],
}
