export { revisionsOfComment, revisionsOfFeed } from './lists.ts'
export { type EditedByModerator, editorialReason, NOTIFY_EDITED, recordModeratorEdit } from './record.ts'
