export { type ExportOptions, exportCommunity, UnknownSpace } from './export/index.ts'
