import { dateOf } from '../../../lib/time.ts'

/** Groups entries by day; they are sorted newest first. */
export const byDay = <T extends { readonly created_at: string }>(
  entries: readonly T[],
): readonly (readonly [day: string, entries: T[]])[] => {
  const days = new Map<string, T[]>()
  for (const entry of entries) days.set(dateOf(entry.created_at), [...(days.get(dateOf(entry.created_at)) ?? []), entry])
  return [...days]
}
