const DAY_S = 24 * 3600
/** Retention of read and of unread notifications. */
export const READ_RETENTION_S = 90 * DAY_S
export const UNREAD_RETENTION_S = 365 * DAY_S
/** An edit of a text older than this notifies nobody: the first notification may be deleted by then, so people could be notified twice. */
export const MAX_EDIT_AGE_S = READ_RETENTION_S - DAY_S

const MENTION = /<a class="mention" href="(?:https?:\/\/[^"/]+)?\/u\/([a-z0-9_-]{3,30})"/g
const MAX_MENTIONS = 50

/** Usernames mentioned in stored HTML. The HTML is our own, and links only users who existed when it was rendered. */
export const mentionsIn = (html: string): string[] => {
  const names = new Set<string>()
  for (const [, name] of html.matchAll(MENTION)) {
    if (name) names.add(name)
    if (names.size === MAX_MENTIONS) break
  }
  return [...names]
}
