import type { Actor } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { visibleSpaces } from '../spaces/index.ts'

/** The spaces whose metrics the actor may read; null means all spaces and the community. */
export const readableSpaces = ({ role, managedSpaces }: Actor): readonly number[] | null => (role === 'admin' ? null : managedSpaces)

/**
 * SQL condition for the spaces that metrics may name to the actor: those visible to them, and those their record is limited to. Expects the
 * tables of `spaceTables`.
 */
export const nameableSpaces = (actor: Actor, p: (value: number) => string): string =>
  readableSpaces(actor) === null ? visibleSpaces(actor, p) : '1 = 1'

/** @throws rest_forbidden if the actor is limited to some spaces */
export const requireCommunity = (actor: Actor): void => {
  if (readableSpaces(actor) !== null) throw new ApiError('rest_forbidden')
}
