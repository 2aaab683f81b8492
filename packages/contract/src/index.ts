export { api } from './api.ts'
export { ERRORS, type ErrorCode } from './errors.ts'
export { type EventName, type EventPayload, events } from './events.ts'
export { FEATURES, type Feature, Features } from './features.ts'
export {
  ACCOUNT_ROLES,
  type AccountRole,
  DEFAULT_PERMISSIONS,
  MANAGER_ROLES,
  type ManagerRole,
  PERMISSIONS,
  type Permission,
} from './permissions.ts'
export { PASSWORD_NAME_LENGTH } from './resources/account.ts'
export { ACTION_TYPES, type ActionType } from './resources/activities.ts'
export { DISPLAY_NAME_LENGTH, SessionUser } from './resources/auth.ts'
export { BOOKMARK_ORDERS, Bookmark, BookmarkWithFeed } from './resources/bookmarks.ts'
export { COMMENT_BYTES, COMMENT_IMAGES, COMMENT_ORDERS, COMMENT_STATUSES, Comment } from './resources/comments.ts'
export { CONTENT_TYPES, FEED_ORDERS, FEED_STATUSES, FEED_TYPES, Feed, MESSAGE_BYTES, TITLE_LENGTH } from './resources/feeds.ts'
export { Profile } from './resources/profiles.ts'
export { REACTION_TYPES, Reaction, type ReactionType, ReactionWithProfile } from './resources/reactions.ts'
export { BULK_MEMBERS, SpaceMember } from './resources/space-members.ts'
export {
  defaultsOf,
  Lockscreen,
  LockscreenSection,
  SPACE_ROLES,
  SpaceGroupSettings,
  SpaceLink,
  type SpaceRole,
  SpaceSettings,
} from './resources/space-settings.ts'
export { SPACE_DESCRIPTION_BYTES, SPACE_SLUG_LENGTH, SPACE_TITLE_LENGTH, Space, SpaceDetail, SpacePermissions } from './resources/spaces.ts'
export type { Access, BodyOf, InputOf, Method, ParamsOf, QueryOf, ResponseOf, Route, Routes } from './route.ts'
export { type Infer, MAX_ID } from './shapes/common.ts'
export { Xprofile } from './shapes/xprofile.ts'
