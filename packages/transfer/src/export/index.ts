import type { ArchiveKind } from '@lyceum/contract/archive'
import type { Unreadable } from '@lyceum/importers'
import { checkPlace, type WrittenArchive, writeArchive } from '@lyceum/importers/archive'
import { nowOf } from '../../../server/src/core/clock.ts'
import type { Services } from '../../../server/src/core/context.ts'
import { statementOne } from '../../../server/src/db/index.ts'
import { communityId } from './archive-ids.ts'
import { communityAsSource } from './community-source.ts'

export { communityId } from './archive-ids.ts'
export { communityAsSource } from './community-source.ts'

export interface ExportOptions {
  /** A new folder, or a new `.tar.gz` file. */
  readonly place: string
  /** Slug of the only space to export. */
  readonly space?: string
  readonly onProgress?: (kind: ArchiveKind, done: number) => void
  readonly onSkipped?: (kind: ArchiveKind, row: Unreadable) => void
  readonly signal?: AbortSignal
}

/** Thrown for a space that does not exist. */
export class UnknownSpace extends Error {
  override name = 'UnknownSpace'
}

const spaceBySlug = statementOne<{ id: number }>('select id from spaces where slug = $1')

/**
 * Writes a snapshot of the community, or of one of its spaces, to an archive.
 * @throws UnusablePlace, UnknownSpace
 */
export const exportCommunity = async (services: Services, { place, space, ...options }: ExportOptions): Promise<WrittenArchive> => {
  await checkPlace(place)
  const community = await communityId(services)
  const { database, storage, clock } = services
  return database.snapshot(async (db) => {
    const found = space === undefined ? undefined : await spaceBySlug(db, [space])
    if (space !== undefined && !found) throw new UnknownSpace(`there is no space ${space}`)
    const source = await communityAsSource({ db, storage, origin: services.origin(), community, ...(found && { spaceId: found.id }) })
    return writeArchive(source, place, { ...options, now: nowOf(clock) })
  })
}
