import { erasedForeignId } from '../../../../server/src/modules/accounts/imported-names.ts'
import { DELETED_DOMAIN } from '../../../../server/src/modules/accounts/validation.ts'
import { type Found, findMapped } from '../lookups.ts'
import type { Run } from '../run.ts'

/** The people whose accounts were deleted in this community. None of their data is imported again. */
export const findErased = async (run: Run, ids: readonly string[]): Promise<Set<string>> => {
  const keys = new Map(ids.map((id) => [erasedForeignId(run.services, run.name, id), id]))
  const found = await findMapped(run.services.database.read, run.name, 'people', [...keys.keys()])
  return new Set([...found.keys()].map((key) => keys.get(key) as string))
}

/** Import id of the placeholder account for authors who do not exist at the source. No record has it. */
const NOBODY = ''

/** The placeholder account for authors who do not exist at the source. It looks like a deleted account. */
export const nobody = async (run: Run): Promise<number> => {
  const { database } = run.services
  const known = (await run.find('people', [NOBODY])).get(NOBODY)
  if (known) return known.id
  const [id = 0] = await run.ids.take('users', 1)
  const username = `deleted-${id}`
  if (run.isDry) run.memory.put('people', NOBODY, { id, username, status: 'deleted' })
  else
    await database.write(async (db) => {
      const values = { id, username, email: `${username}@${DELETED_DOMAIN}`, display_name: 'Deleted member', status: 'deleted' as const }
      await db
        .insertInto('users')
        .values({ ...values, created_at: run.now, updated_at: run.now })
        .execute()
      const row = { source: run.name, kind: 'people', foreign_id: NOBODY, local_id: id, hash: '', fingerprint: '' }
      await db.insertInto('import_map').values(row).execute()
    })
  return id
}

export interface Author {
  readonly id: number
  /** Empty if the author does not exist or the account is deleted. */
  readonly username: string
  readonly isMissing: boolean
}

/**
 * The authors of content. An author who does not exist at the source is treated like one who deleted their account there. Null for people who
 * deleted their account in this community.
 */
export const findAuthors = async (run: Run, ids: readonly string[]): Promise<(id: string) => Author | null> => {
  const found: ReadonlyMap<string, Found['people']> = await run.find('people', ids)
  const missing = [...new Set(ids.filter((id) => !found.has(id)))]
  const erased = missing.length > 0 ? await findErased(run, missing) : new Set<string>()
  const stand = missing.some((id) => !erased.has(id)) ? await nobody(run) : 0
  return (id) => {
    const person = found.get(id)
    if (person) return { id: person.id, username: person.status === 'deleted' ? '' : person.username, isMissing: false }
    return erased.has(id) ? null : { id: stand, username: '', isMissing: true }
  }
}

export const MISSING_AUTHOR = 'its author does not exist in the source'
export const ERASED_AUTHOR = 'its author deleted their account in this community'
