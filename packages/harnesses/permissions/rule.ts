import type { ErrorCode, Permission } from '@lyceum/contract'
import type { ActorState } from '#test/actors.ts'
import type { Place } from '#test/one-of-each.ts'

/**
 * Somebody who may do something: anybody at all, any member, somebody by how he stands to the object, or whoever holds a permission.
 * `here`: in a record that covers where the object stands (outside of spaces only those that cover everything); `everywhere`: in one that is
 * not limited to spaces; `limited`: in one that is limited to spaces, where the object stands among them; `somewhere`: in any.
 */
export type Who = 'anybody' | 'member' | ActorState | `${Permission} ${'here' | 'everywhere' | 'limited' | 'somewhere'}`

/** Somebody; a list: who is all of them. */
export type Whom = Who | readonly Who[]

/** Who gets through in one variant of a route. Everybody else is refused, with the first of these that holds. */
export interface Rule {
  /** What tells this variant from the others. */
  readonly when?: string
  readonly places?: readonly Place[]
  /** 403 for everybody else, whatever the object is. */
  readonly gate?: readonly Who[]
  /** 404 `missing` for everybody else: as if the object were not there. */
  readonly seen?: Rule['through']
  readonly missing?: ErrorCode
  /** 403 `forbidden` for these, whatever else they are. */
  readonly never?: readonly Who[]
  /** 403 `forbidden` for everybody else. */
  readonly through: readonly Whom[] | Readonly<Partial<Record<Place, readonly Whom[]>>>
  readonly forbidden?: ErrorCode
  /** What those who get through are told on this stage, where it is not that something was done. */
  readonly yields?: ErrorCode
  readonly body?: object
  readonly query?: Readonly<Record<string, string | number>>
  /** Whose object the path names; `own` unless said, where there is a difference. */
  readonly of?: 'another' | 'held' | 'scheduled' | 'suspended' | 'waiting' | 'staff' | 'space admin'
}
