export { type Attachment, attachMedia, detachMedia, keysIn } from './attach.ts'
export { copyFiles, type FileCopies } from './copies.ts'
export { eraseMedia } from './forget.ts'
export {
  deletedBefore,
  expireLoose,
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
} from './records.ts'
export { filePath, thumbnailPath, viewItem, viewMedia, viewUpload } from './view.ts'
