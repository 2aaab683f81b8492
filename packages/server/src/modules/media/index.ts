export { type Attachment, attachMedia, detachMedia, keysIn } from './attach.ts'
export {
  countLoose,
  deletedBefore,
  expireLoose,
  insertMedia,
  knownKeys,
  type MediaRecord,
  markDeleted,
  mediaById,
  mediaByKey,
  type NewMedia,
  PURGE_BATCH,
  purgeRows,
} from './records.ts'
export { filePath, thumbnailPath, viewItem, viewMedia, viewUpload } from './view.ts'
