import type { Permission } from '@lyceum/contract'
import type { Member, World } from './world.ts'

interface SpaceOptions {
  readonly privacy?: 'public' | 'private' | 'secret'
  readonly status?: 'published' | 'draft' | 'archived'
  readonly settings?: Record<string, unknown>
  readonly members?: readonly Member[]
  readonly moderators?: readonly Member[]
  readonly admins?: readonly Member[]
}

export interface Space {
  readonly id: number
  readonly slug: string
}

let made = 0

/** Creates a space with members by direct inserts. */
export const makeSpace = (world: World, options: SpaceOptions = {}): Promise<Space> => {
  const { privacy = 'public', status = 'published', settings = {}, members = [], moderators = [], admins = [] } = options
  made += 1
  const slug = `space-${made}`
  return world.app.write(null, async ({ db, now }) => {
    const { id } = await db
      .insertInto('spaces')
      .values({
        title: `Space ${made}`,
        slug,
        privacy,
        status,
        position: made,
        members_count: members.length + moderators.length + admins.length,
        settings: JSON.stringify(settings),
        created_by: null,
        parent_id: null,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const join = async (people: readonly Member[], role: 'member' | 'moderator' | 'admin') => {
      for (const person of people) {
        await db.insertInto('space_members').values({ space_id: id, user_id: person.id, role, joined_at: now, updated_at: now }).execute()
      }
    }
    await join(members, 'member')
    await join(moderators, 'moderator')
    await join(admins, 'admin')
    return { id, slug }
  })
}

/** Removes a member from a space. */
export const leaveSpace = (world: World, space: Space, person: Member): Promise<void> =>
  world.app.write(null, async ({ db }) => {
    await db.deleteFrom('space_members').where('space_id', '=', space.id).where('user_id', '=', person.id).execute()
    await db
      .updateTable('spaces')
      .set((of) => ({ members_count: of('members_count', '-', 1) }))
      .where('id', '=', space.id)
      .execute()
  })

/** Gives a manager exactly these permissions, optionally limited to spaces. */
export const grant = (world: World, person: Member, permissions: readonly Permission[], spaces?: readonly Space[]): Promise<void> =>
  world.app.write(null, async ({ db }) => {
    await db
      .updateTable('managers')
      .set({ permissions: JSON.stringify(permissions), all_spaces: spaces ? 0 : 1 })
      .where('user_id', '=', person.id)
      .execute()
    for (const space of spaces ?? []) await db.insertInto('manager_spaces').values({ user_id: person.id, space_id: space.id }).execute()
  })

/** Names of recorded events whose payload contains these members, oldest first. */
export const eventsWith = async (world: World, ids: Record<string, number>): Promise<string[]> => {
  const rows = await world.app.services.database.read.selectFrom('events').select(['name', 'payload']).orderBy('id').execute()
  const matches = (payload: Record<string, unknown>) => Object.entries(ids).every(([key, value]) => payload[key] === value)
  return rows.filter((row) => matches(JSON.parse(row.payload) as Record<string, unknown>)).map((row) => row.name)
}
