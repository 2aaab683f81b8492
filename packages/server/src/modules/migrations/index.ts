export { addReport, claimRun, dropFiles, endRun, filesOf, type ReportRow, type RunProgress, saveProgress, siteOf } from './repository.ts'
export { decryptPassword, enableImports, removeFiles } from './runs.ts'
export { KINDS } from './sources.ts'
export type { RunResults } from './view.ts'
