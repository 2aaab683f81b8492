export { collectGarbage, removeStrays } from './garbage-collect.ts'
export { discardConverted, type InspectedFile, inspectFile, type Stored, storeInspected } from './upload.ts'
