import { SPACE_SLUG_LENGTH } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { createSlugs } from '../../core/slugs.ts'
import { statementExists } from '../../db/index.ts'
import { loadSpace, spaceAbilities } from './access.ts'

/** Spaces and their groups share the slugs. */
export const spaceSlugs = createSlugs({
  kind: 'space',
  length: SPACE_SLUG_LENGTH,
  reserved: 'all all-spaces create discover edit feeds groups joined new search space_groups users'.split(' '),
  isUsed: statementExists('select id from spaces where slug = $1 union all select id from space_groups where slug = $1 limit 1'),
  isHidden: async ({ db, actor }: Pick<WriteRequest, 'db' | 'actor'>, slug) => {
    const holder = await loadSpace(db, slug, actor.id)
    return holder !== undefined && !spaceAbilities(actor, holder).view
  },
})
