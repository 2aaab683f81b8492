export { type Config, type ConfigChanges, checkWebhook, DEFAULT_CONFIG, isTrusted, readConfig, saveConfig } from './config.ts'
export {
  type HeldObject,
  HIDDEN_BY_HAND,
  type HiddenByHand,
  isHeld,
  mayRelease,
  moveReports,
  reasonOf,
  resolveHold,
} from './moderation-holds.ts'
export { spendEarly, type Written } from './new-member-limits.ts'
export { warmPolicy } from './policy-cache.ts'
export { refuseBlocked } from './refuse.ts'
export { type Hold, screen } from './screen-content.ts'
