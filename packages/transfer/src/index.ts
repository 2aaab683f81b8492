export { type ExportOptions, exportCommunity, UnknownSpace } from './export/index.ts'
export * from './import/index.ts'
