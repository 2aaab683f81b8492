import type { Actor } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'

/** The spaces whose figures somebody may read; null: all, and those of the community. */
export const readableSpaces = ({ role, managedSpaces }: Actor): readonly number[] | null => (role === 'admin' ? null : managedSpaces)

/** @throws rest_forbidden for whoever is limited to some spaces */
export const requireCommunity = (actor: Actor): void => {
  if (readableSpaces(actor) !== null) throw new ApiError('rest_forbidden')
}
