const DAY_S = 24 * 3600
/** Retention of read and of unread notifications. */
export const READ_RETENTION_S = 90 * DAY_S
export const UNREAD_RETENTION_S = 365 * DAY_S
/** An edit of a text older than this notifies nobody: the first notification may be deleted by then, so people could be notified twice. */
export const MAX_EDIT_AGE_S = READ_RETENTION_S - DAY_S
