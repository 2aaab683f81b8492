export { type Attachment, attachMedia, detachMedia, keysIn } from './attachments.ts'
export { copyFiles, type FileCopies } from './duplicate.ts'
export { eraseMedia } from './erase.ts'
export { collectGarbage, removeStrays } from './garbage-collect.ts'
export {
  deletedBefore,
  expireUnattached,
  insertMedia,
  knownPaths,
  type MediaRecord,
  markDeleted,
  mediaById,
  mediaByKey,
  type NewMedia,
  PURGE_BATCH,
  purgeRows,
  sharedPaths,
  usageOf,
} from './repository.ts'
export { discardConverted, type InspectedFile, inspectFile, type Stored, storeInspected } from './upload.ts'
export { filePath, thumbnailPath, viewItem, viewMedia, viewUpload } from './view.ts'
