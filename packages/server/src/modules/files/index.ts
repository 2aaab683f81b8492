import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { fileHandlers } from './routes.ts'
import { serveFiles } from './serve.ts'
import { sweepFiles } from './sweep.ts'

export { removeStrays, sweepFiles } from './sweep.ts'

export { forget, keepLookedAt, type LookedAt, lookAt, type Stored } from './upload.ts'

export const files: Module = {
  name: 'files',
  mount: (mount) => mount('media', api.media, fileHandlers),
  pages: serveFiles,
  chores: [{ name: 'files', run: sweepFiles }],
}
