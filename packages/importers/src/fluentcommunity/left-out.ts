import { type Community, countOf } from './community.ts'

/** Queries that count data that Lyceum cannot import or recreates, by name. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  blocks: 'from fcom_followers where level = 0',
  invitations: "from fcom_post_comments where type = 'invitation'",
  quiz_results: "from fcom_post_comments where type like 'quiz%'",
  sidebar_links: "from fcom_spaces where type = 'sidebar_link'",
  other_spaces: "from fcom_spaces where coalesce(type, '') not in ('community', 'course', 'space_group', 'sidebar_link')",
  other_terms: "from fcom_terms where taxonomy_name <> 'post_topic'",
  unused_uploads: `from fcom_media_archive m where coalesce(is_active, 1) = 0 and not exists (select 1 from fcom_posts p where p.id = m.feed_id)`,
  unfinished_lessons: "from fcom_post_reactions where object_type = 'lesson_completed' and type = 'incomplete'",
  other_reactions: `from fcom_post_reactions where object_type not in ('feed', 'comment', 'lesson_completed') and type <> 'survey_vote'`,
}

const SEEN: Readonly<Record<string, string>> = {
  notifications: 'fcom_notifications',
  private_messages: 'fcom_chat_messages',
}

export const leftOut = (community: Community): Record<string, number> => {
  const { staging, prefix } = community
  const counts = [
    ...Object.entries(LEFT_OUT).map(([name, sql]) => [name, countOf(community, sql)] as const),
    ...Object.entries(SEEN).map(([name, table]) => [name, staging.seen(prefix + table)] as const),
  ]
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}
