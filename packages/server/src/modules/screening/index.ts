export { type Config, type ConfigChanges, checkWebhook, DEFAULT_CONFIG, isTrusted, readConfig, saveConfig } from './config.ts'
export { spendEarly, type Written } from './early.ts'
export {
  type HeldObject,
  HIDDEN_BY_HAND,
  type HiddenByHand,
  isHeld,
  mayRelease,
  moveReports,
  reasonOf,
  settleHold,
} from './holds.ts'
export { type Hold, screen } from './judge.ts'
export { warmPolicy } from './policy.ts'
export { refuseBlocked } from './refuse.ts'
