import type { MigrationItem, MigrationSource } from '@lyceum/contract'
import { ARCHIVE_ITEMS, type ArchiveKind } from '@lyceum/contract/archive'

interface Platform {
  readonly name: string
  readonly description: string
  readonly items: readonly MigrationItem[]
  /** Whether a site can be read over its REST API. */
  readonly site: boolean
  readonly warnings: readonly string[]
}

const WHOLE = ['people', 'spaces', 'posts', 'comments', 'reactions', 'media'] as const
const QUIET = 'Nobody is notified. Names, dates and authors are those of the source.'
const MESSAGES = 'Private messages are not imported.'

export const PLATFORMS: Readonly<Record<MigrationSource, Platform>> = {
  fluentcommunity: {
    name: 'FluentCommunity',
    description: 'Members with their passwords, spaces, posts, comments, reactions, files and courses of a WordPress site.',
    items: [...WHOLE, 'courses'],
    site: true,
    warnings: [QUIET, 'Over the REST API, passwords, drafts and follows cannot be read; a database dump has them.'],
  },
  buddypress: {
    name: 'BuddyPress and BuddyBoss',
    description: 'Members with their passwords, groups, activity, comments, reactions and files of a WordPress site.',
    items: WHOLE,
    site: false,
    warnings: [QUIET, MESSAGES],
  },
  nodebb: {
    name: 'NodeBB',
    description: 'Members with their passwords, categories, topics, replies, votes and files of a forum on PostgreSQL.',
    items: WHOLE,
    site: false,
    warnings: [QUIET, MESSAGES, 'Downvotes are not imported.'],
  },
  discourse: {
    name: 'Discourse',
    description: 'Members, categories, topics, replies, likes and files of a backup, or what is public at a site.',
    items: WHOLE,
    site: true,
    warnings: [QUIET, MESSAGES],
  },
  csv: {
    name: 'CSV',
    description: 'Members as Circle, Skool and Mighty Networks export them.',
    items: ['people', 'spaces'],
    site: false,
    warnings: ['Members have no passwords: they set one with the link for forgotten passwords.'],
  },
  lyceum: {
    name: 'Lyceum',
    description: 'An archive that another Lyceum community exported.',
    items: [...WHOLE, 'courses'],
    site: false,
    warnings: [QUIET],
  },
}

export const KINDS: Readonly<Record<MigrationItem, readonly ArchiveKind[]>> = ARCHIVE_ITEMS

/** The items that the original names for `buddypress`. */
const ALIASES: Readonly<Record<string, readonly MigrationItem[]>> = {
  groups: ['spaces'],
  members: ['people', 'media'],
  activities: ['posts', 'comments', 'reactions'],
}

/** The items that a request names; null if the source has none of a name. */
export const itemsOf = (source: MigrationSource, asked: readonly string[]): MigrationItem[] | null => {
  const names = asked.flatMap((name) => (source === 'buddypress' && ALIASES[name]) || [name as MigrationItem])
  const supported = new Set<string>(PLATFORMS[source].items)
  return names.every((name) => supported.has(name)) ? [...new Set(names)] : null
}
