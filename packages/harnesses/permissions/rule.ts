import type { ErrorCode, Permission } from '@lyceum/contract'
import type { ActorState } from '#test/actors.ts'
import type { Place } from '#test/one-of-each.ts'

/**
 * Someone who may do something: anyone, any member, someone by their relation to the object, or a holder of a permission. `here`: in a
 * record that covers the object's place (outside spaces only unlimited records); `everywhere`: in an unlimited record; `limited`: in a
 * record limited to spaces that include the object's; `somewhere`: in any record.
 */
export type Who = 'anybody' | 'member' | ActorState | `${Permission} ${'here' | 'everywhere' | 'limited' | 'somewhere'}`

/** A list: someone who is all of these. */
export type Whom = Who | readonly Who[]

/** Who gets through in one variant of a route. Everyone else is refused by the first of these checks that applies. */
export interface Rule {
  /** Distinguishes this variant. */
  readonly when?: string
  readonly places?: readonly Place[]
  /** 403 for everyone else, whatever the object is. */
  readonly gate?: readonly Who[]
  /** 404 `missing` for everyone else, as if the object did not exist. */
  readonly seen?: Rule['through']
  readonly missing?: ErrorCode
  /** 403 `forbidden` for these, whatever their other relations. */
  readonly never?: readonly Who[]
  /** 403 `forbidden` for everyone else. */
  readonly through: readonly Whom[] | Readonly<Partial<Record<Place, readonly Whom[]>>>
  readonly forbidden?: ErrorCode
  /** The error for callers who get through on this stage, instead of a success. */
  readonly yields?: ErrorCode
  readonly body?: object
  readonly query?: Readonly<Record<string, string | number>>
  /** Which object the path names; `own` by default, where it matters. */
  readonly of?: 'another' | 'held' | 'scheduled' | 'suspended' | 'waiting' | 'staff' | 'space admin'
}
