import { Type } from './typebox.ts'

/**
 * Rate limits of writes by members; moderators and administrators are exempt. A route declares its limit; other writes that every member can
 * do count as `changes`.
 */
export const WRITE_LIMITS = ['posts', 'comments', 'reactions', 'follows', 'uploads', 'reports', 'changes'] as const
export type WriteLimit = (typeof WRITE_LIMITS)[number]

interface LimitedRoute {
  readonly method: string
  readonly access: string
  readonly write?: false
  readonly writeLimit?: WriteLimit
}

/** The write limit that a call of the route counts against; null if only the general rate limit applies. */
export const writeLimitOf = ({ writeLimit, method, access, write }: LimitedRoute): WriteLimit | null => {
  if (writeLimit) return writeLimit
  return access === 'member' && method !== 'GET' && write !== false ? 'changes' : null
}

const limit = (standard: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: standard, description: `${description}; 0 for no limit.` })

const limits = {
  posts_per_minute: limit(60, 'Posts of one member per minute'),
  posts_per_hour: limit(300, 'Posts of one member per hour'),
  comments_per_minute: limit(120, 'Comments of one member per minute'),
  reactions_per_minute: limit(300, 'Reactions, bookmarks and votes of one member per minute'),
  follows_per_minute: limit(60, 'Follows of one member per minute'),
  uploads_per_minute: limit(30, 'Uploads of one member per minute'),
  reports_per_minute: limit(20, 'Reports of one member per minute'),
  changes_per_minute: limit(240, 'Other changes of one member per minute'),

  new_member_hours: limit(24, 'Hours during which an account counts as new'),
  new_member_mentions_per_hour: limit(20, 'Mentions of a new member per hour'),
  new_member_links_per_hour: limit(20, 'Links of a new member per hour'),
  new_member_follows_per_hour: limit(30, 'Follows by a new member per hour'),

  registrations_per_address_per_hour: limit(40, 'Registrations per IP address and hour'),
  registrations_per_network_per_hour: limit(400, 'Registrations per network (IPv4 /24, IPv6 /48) and hour'),
  registrations_per_mail_domain_per_hour: limit(300, 'Registrations per email domain and hour, except for large public providers'),
  unconfirmed_mails_per_day: limit(5, 'Emails per day to an unconfirmed address'),

  username_reservation_days: Type.Integer({
    minimum: 0,
    maximum: 3650,
    default: 365,
    description: 'Days for which a released username stays reserved; 0 to release it immediately.',
  }),

  post_points_per_day: limit(1000, 'Points per day for posts of one member'),
  comment_points_per_day: limit(1500, 'Points per day for comments of one member'),
  reaction_points_per_day: limit(1000, 'Points per day for reactions to one member'),
  helpful_points_per_day: limit(1000, 'Points per day for helpful comments of one member'),

  streams_per_member: limit(10, 'Open event streams per member; the oldest one is closed'),
  streams_per_address: limit(500, 'Open event streams per IP address'),
  gif_searches_per_hour: limit(20, 'GIF searches per member and hour that reach the provider'),
  remote_pictures_per_minute: limit(300, 'Images from other sites that a member loads per minute'),

  member_storage_mb: limit(2048, 'Storage per member in MB'),
  unattached_storage_mb: limit(300, 'Storage per member for unattached uploads in MB'),
  total_storage_mb: limit(0, 'Storage of all members together in MB'),
}

/** Rate limits and quotas with their defaults. */
export const LimitsConfig = Type.Object(limits, { title: 'LimitsConfig', additionalProperties: false })
export type LimitName = keyof (typeof LimitsConfig)['properties']
export const LIMIT_NAMES = Object.keys(LimitsConfig.properties) as LimitName[]
