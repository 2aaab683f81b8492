import { Type } from './typebox.ts'

/**
 * What members do at a limited rate; moderators and administrators are exempt. A route declares which of these it is. Other writes that are
 * open to every member are `changes`.
 */
export const PACES = ['posts', 'comments', 'reactions', 'follows', 'uploads', 'reports', 'changes'] as const
export type Pace = (typeof PACES)[number]

interface Paced {
  readonly method: string
  readonly access: string
  readonly write?: false
  readonly pace?: Pace
}

/** Which budget of a member a call of this route counts against; null: none but that of all requests. */
export const paceOf = ({ pace, method, access, write }: Paced): Pace | null => {
  if (pace) return pace
  return access === 'member' && method !== 'GET' && write !== false ? 'changes' : null
}

const limit = (standard: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: standard, description: `${description}; 0: no limit` })

const limits = {
  posts_per_minute: limit(60, 'Posts of one member per minute'),
  posts_per_hour: limit(300, 'Posts of one member per hour'),
  comments_per_minute: limit(120, 'Comments of one member per minute'),
  reactions_per_minute: limit(300, 'Reactions, bookmarks and votes of one member per minute'),
  follows_per_minute: limit(60, 'Follows of one member per minute'),
  uploads_per_minute: limit(30, 'Uploads of one member per minute'),
  reports_per_minute: limit(20, 'Reports of one member per minute'),
  changes_per_minute: limit(240, 'Other changes of one member per minute'),

  new_member_hours: limit(24, 'Hours for which an account counts as new'),
  new_member_mentions_per_hour: limit(20, 'Mentions of a new member per hour'),
  new_member_links_per_hour: limit(20, 'Links of a new member per hour'),
  new_member_follows_per_hour: limit(30, 'Follows of a new member per hour'),

  registrations_per_address_per_hour: limit(40, 'Registrations from one address per hour'),
  registrations_per_network_per_hour: limit(400, 'Registrations from one network (IPv4 /24, IPv6 /48) per hour'),
  registrations_per_mail_domain_per_hour: limit(300, 'Registrations with one mail domain per hour, large public providers excepted'),
  unconfirmed_mails_per_day: limit(5, 'Mails per day to one mailbox whose owner has not confirmed it'),

  username_reservation_days: Type.Integer({
    minimum: 0,
    maximum: 3650,
    default: 365,
    description: 'Days for which a username given up by a rename or a deletion is kept from others; 0: none',
  }),

  post_points_per_day: limit(1000, 'Points per day for posts of one member'),
  comment_points_per_day: limit(1500, 'Points per day for comments of one member'),
  reaction_points_per_day: limit(1000, 'Points per day for reactions to one member'),
  helpful_points_per_day: limit(1000, 'Points per day for helpful comments of one member'),

  streams_per_member: limit(10, 'Open event streams of one member; the oldest is closed'),
  streams_per_address: limit(500, 'Open event streams of one address'),
  gif_searches_per_hour: limit(20, 'GIF searches of one member per hour that reach the provider'),
  remote_pictures_per_minute: limit(300, 'Pictures of other sites that one member loads per minute'),

  member_storage_mb: limit(2048, 'Storage of one member in MB'),
  unattached_storage_mb: limit(300, 'Storage of one member in MB for uploads that nothing refers to yet'),
  total_storage_mb: limit(0, 'Storage of all members together in MB'),
}

/** Limits against abuse, with their defaults. */
export const LimitsConfig = Type.Object(limits, { title: 'LimitsConfig', additionalProperties: false })
export type LimitName = keyof (typeof LimitsConfig)['properties']
export const LIMIT_NAMES = Object.keys(LimitsConfig.properties) as LimitName[]
