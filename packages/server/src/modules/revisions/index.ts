export { eraseRevisions } from './erase.ts'
export { revisionsOfComment, revisionsOfFeed } from './lists.ts'
export { EDITED_BY_MODERATOR, type EditedByModerator, editorialReason, type ModeratorEdit, recordModeratorEdit } from './record.ts'
