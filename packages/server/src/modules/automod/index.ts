export { type Config, type ConfigChanges, checkWebhook, DEFAULT_CONFIG, isTrusted, readConfig, saveConfig } from './config.ts'
export {
  type HeldObject,
  type HiddenByHand,
  isHeld,
  mayRelease,
  moveReports,
  NOTIFY_HIDDEN,
  reasonOf,
  resolveHold,
} from './moderation-holds.ts'
export { type SubmittedText, spendNewMemberBudgets } from './new-member-limits.ts'
export { warmPolicy } from './policy-cache.ts'
export { assertNotBlocked } from './refuse.ts'
export { type Hold, screen } from './screen-content.ts'
