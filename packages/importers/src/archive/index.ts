export { type OpenArchiveOptions, openArchive } from './open-archive.ts'
export { checkPlace, UnusablePlace } from './target.ts'
export { type ArchiveOptions, type WrittenArchive, writeArchive } from './write-archive.ts'
