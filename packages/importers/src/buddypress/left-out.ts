import type { Context } from './context.ts'
import { ARE_REQUESTS } from './memberships.ts'
import { hiddenValues } from './people.ts'
import { ARE_REPORTS } from './reports.ts'

/** Queries that count data that Lyceum cannot import, by name. */
const COUNTS: Readonly<Record<string, string>> = {
  'private messages': 'select count(*) as n from bp_messages_messages',
  notifications: 'select count(*) as n from bp_notifications',
  'invitations to groups': `select count(*) as n from bp_invitations where not (${ARE_REQUESTS}) and accepted = 0 and class like '%group%'`,
  'invitations to the site': `select count(*) as n from bp_invitations where accepted = 0 and class not like '%group%'`,
  'incomplete registrations': 'select count(*) as n from signups where active = 0',
  'blog posts': `select count(*) as n from posts where post_type = 'post' and post_status = 'publish'`,
  'forum topics': `select count(*) as n from posts where post_type = 'topic'`,
  'forum replies': `select count(*) as n from posts where post_type = 'reply'`,
  'blocks between members': `select count(*) as n from bp_moderation m join bp_suspend s on s.id = m.moderation_id where not (${ARE_REPORTS})`,
  'files of private messages': `select (select count(*) from bp_media where message_id > 0 or privacy = 'message')
    + (select count(*) from bp_document where message_id > 0 or privacy = 'message') as n`,
  'files outside of posts': `select (select count(*) from bp_media m where not coalesce(message_id, 0) and coalesce(privacy, '') <> 'message'
      and not exists (select 1 from attached f where f.kind = 'media' and f.id = m.id))
    + (select count(*) from bp_document d where not coalesce(message_id, 0) and coalesce(privacy, '') <> 'message'
      and not exists (select 1 from attached f where f.kind = 'document' and f.id = d.id)) as n`,
}

/** Counts activities that are not posts, such as `joined_group`, by type. */
const OTHER_ACTIVITIES = `select coalesce(nullif(type, ''), 'unknown') as type, count(*) as n from bp_activity
  where type not in ('activity_update', 'activity_comment') group by 1 order by 1`

export const countLeftOut = (context: Context): Record<string, number> => {
  const { staging } = context
  const counts: Record<string, number> = {}
  for (const [name, sql] of Object.entries(COUNTS)) counts[name] = staging.get<{ n: number }>(sql)?.n ?? 0
  for (const { type, n } of staging.rows<{ type: string; n: number }>(OTHER_ACTIVITIES)) counts[`activities of type ${type}`] = n
  counts['profile values that are not visible to all members'] = hiddenValues(context)
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
