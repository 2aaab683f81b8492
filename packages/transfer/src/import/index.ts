export { importSource } from './import-source.ts'
export { ImportRefused, type Mapping, readMapping } from './mapping.ts'
export { hasFailures } from './report.ts'
export {
  type Imported,
  type ImportOptions,
  type KindCounts,
  OUTCOMES,
  type Outcome,
  type ReportLine,
  type SpaceAudience,
} from './types.ts'
