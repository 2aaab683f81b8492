export { type ImportCommandOptions, runImport } from './command/run-import.ts'
export { runStarted } from './command/run-started.ts'
export { type ExportOptions, exportCommunity, UnknownSpace } from './export/index.ts'
export * from './import/index.ts'
