import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { collectGarbage } from './garbage-collect.ts'
import { serveRemotePictures } from './remote.ts'
import { fileHandlers } from './routes.ts'
import { serveFiles } from './serve.ts'

export const files: Module = {
  name: 'files',
  mount: (mount) => mount('media', api.media, fileHandlers),
  pages: (app, tools) => {
    serveFiles(app, tools)
    serveRemotePictures(app, tools)
  },
  recurringTasks: [{ name: 'files', run: collectGarbage }],
}
