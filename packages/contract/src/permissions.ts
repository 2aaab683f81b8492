/** Permissions of manager records. */
export const PERMISSIONS = [
  'manage_feeds',
  'manage_comments',
  'pin_feeds',
  'feature_content',
  'manage_spaces',
  'manage_space_members',
  'moderate_spaces',
  'manage_members',
  'ban_members',
  'view_reports',
  'resolve_reports',
  'manage_settings',
  'view_analytics',
  'manage_webhooks',
] as const
export type Permission = (typeof PERMISSIONS)[number]

export const MANAGER_ROLES = ['admin', 'manager', 'moderator'] as const
export type ManagerRole = (typeof MANAGER_ROLES)[number]

/** Role of an account as others see it; the manager role `manager` is shown as `moderator`. */
export const ACCOUNT_ROLES = ['member', 'moderator', 'admin'] as const
export type AccountRole = (typeof ACCOUNT_ROLES)[number]

/** Default permissions of each manager role. */
export const DEFAULT_PERMISSIONS: Readonly<Record<ManagerRole, readonly Permission[]>> = {
  admin: PERMISSIONS,
  manager: ['manage_feeds', 'manage_comments', 'pin_feeds', 'manage_space_members', 'view_reports', 'resolve_reports', 'view_analytics'],
  moderator: ['manage_comments', 'view_reports', 'resolve_reports'],
}
