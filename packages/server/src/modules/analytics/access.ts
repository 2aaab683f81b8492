import type { Actor } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { visibleSpaces } from '../spaces/index.ts'

/** The spaces whose figures somebody may read; null: all, and those of the community. */
export const readableSpaces = ({ role, managedSpaces }: Actor): readonly number[] | null => (role === 'admin' ? null : managedSpaces)

/**
 * SQL that holds for the spaces that figures may name to somebody: those that they may see, and those that their record is limited to. The query
 * has the tables of `spaceTables`.
 */
export const nameableSpaces = (actor: Actor, p: (value: number) => string): string =>
  readableSpaces(actor) === null ? visibleSpaces(actor, p) : '1 = 1'

/** @throws rest_forbidden for whoever is limited to some spaces */
export const requireCommunity = (actor: Actor): void => {
  if (readableSpaces(actor) !== null) throw new ApiError('rest_forbidden')
}
