export { deleteAccount } from './deletion.ts'
export { writeArchive } from './export-archive.ts'
