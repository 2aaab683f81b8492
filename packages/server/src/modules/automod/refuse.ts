import { isStaffEverywhere } from '../../auth/authenticate.ts'
import type { Actor, ReadContext } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { findBlockedDomain, urlsIn } from './link-rules.ts'
import { policyOf } from './policy-cache.ts'

type Author = Pick<Actor, 'id' | 'role' | 'permissions' | 'managedSpaces'>

/**
 * Refuses blocked words and domains in texts that cannot be held for moderation: names, biographies, titles, file names. `fields` maps
 * field names to texts; `author` is null during registration.
 * @throws invalid_data with the field
 */
export const assertNotBlocked = async (
  ctx: Pick<ReadContext, 'db' | 'services' | 'snapshot'>,
  author: Author | null,
  fields: Readonly<Record<string, string | null | undefined>>,
): Promise<void> => {
  const { words, domains, trusted } = await policyOf(ctx)
  if (!words && !domains) return
  if (author && (author.role === 'admin' || isStaffEverywhere(author) || trusted.has(author.id))) return
  for (const [field, text] of Object.entries(fields)) {
    if (!text) continue
    if (words?.find(text) != null) throw invalidField(field, 'contains a word that is not allowed')
    if (domains && findBlockedDomain(text, urlsIn('', [text]), domains) !== null)
      throw invalidField(field, 'contains a link that is not allowed')
  }
}
