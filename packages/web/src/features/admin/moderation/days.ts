import { day } from '../../../lib/time.ts'

/** Entries of the same day together; they come newest first. */
export const byDay = <T extends { readonly created_at: string }>(
  entries: readonly T[],
): readonly (readonly [day: string, entries: T[]])[] => {
  const days = new Map<string, T[]>()
  for (const entry of entries) days.set(day(entry.created_at), [...(days.get(day(entry.created_at)) ?? []), entry])
  return [...days]
}
