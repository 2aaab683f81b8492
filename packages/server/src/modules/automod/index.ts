export { type ConfigChanges, checkWebhook, isTrusted, readConfig, saveConfig } from './config.ts'
export {
  type HiddenByHand,
  isModerationHold,
  mayRelease,
  moveReports,
  NOTIFY_HIDDEN,
  reasonOf,
  updateModerationHold,
} from './moderation-holds.ts'
export { type SubmittedText, spendNewMemberBudgets } from './new-member-limits.ts'
export { warmPolicy } from './policy-cache.ts'
export { assertNotBlocked, type ModerationHold, screen } from './screen-content.ts'
