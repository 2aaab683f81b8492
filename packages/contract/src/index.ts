export { api } from './api.ts'
export { ERRORS, type ErrorCode } from './errors.ts'
export { type EventName, type EventPayload, events } from './events.ts'
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
export { COMMENT_BYTES, COMMENT_STATUSES, Comment } from './resources/comments.ts'
export { CONTENT_TYPES, FEED_ORDERS, FEED_STATUSES, FEED_TYPES, Feed, MESSAGE_BYTES, TITLE_LENGTH } from './resources/feeds.ts'
export { Profile } from './resources/profiles.ts'
export { REACTION_TYPES, Reaction, type ReactionType } from './resources/reactions.ts'
export { FEATURES, type Feature, Features } from './resources/settings.ts'
export type { Access, BodyOf, InputOf, Method, ParamsOf, QueryOf, ResponseOf, Route, Routes } from './route.ts'
export { type Infer, MAX_ID } from './shapes/common.ts'
export { Xprofile } from './shapes/xprofile.ts'
