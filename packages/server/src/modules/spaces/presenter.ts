import type { Infer, Space, SpaceDetail } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { topicRules, topicsOffered, viewOffered } from '../topics/index.ts'
import { type SpaceFor, spaceAbilities } from './access.ts'
import { lockscreenConfig } from './lockscreen.ts'
import { findMembership } from './membership.ts'
import { activeSpacesOf, personById } from './queries.ts'
import { readSettings } from './settings.ts'
import { headerLinks, viewSpace } from './view.ts'

type Asking = Pick<ReadRequest, 'db' | 'actor'>

const NONE: ReadonlySet<number> = new Set()

/** The caller's spaces, read only where a link depends on them. */
const memberOf = async ({ db, actor }: Asking, spaces: readonly SpaceFor[]): Promise<ReadonlySet<number>> =>
  spaces.some((space) => readSettings(space.settings).links.some((link) => link.membership_ids.length > 0))
    ? activeSpacesOf(db, actor.id)
    : NONE

/** Spaces as lists show them to the caller. */
export const presentSpaces = async (ctx: Asking, spaces: readonly SpaceFor[]): Promise<Infer<typeof Space>[]> => {
  const mine = await memberOf(ctx, spaces)
  return spaces.map((space) => viewSpace(ctx.actor, space, mine))
}

/** One space with all that its page needs. */
export const presentSpace = async (ctx: Asking, space: SpaceFor): Promise<Infer<typeof SpaceDetail>> => {
  const { db, actor } = ctx
  const abilities = spaceAbilities(actor, space)
  const [mine, creator, membership, rules] = await Promise.all([
    memberOf(ctx, [space]),
    space.created_by === null ? undefined : personById(db, [space.created_by]),
    space.my_status ? findMembership(db, space.id, actor.id) : undefined,
    topicRules(db),
  ])
  return {
    ...viewSpace(actor, space, mine),
    creator: creator ?? null,
    membership: membership ?? null,
    topics: rules.on ? (await topicsOffered(db, space.id)).map(viewOffered) : [],
    header_links: headerLinks(abilities),
    lockscreen_config: lockscreenConfig(space, abilities),
  }
}
