import type { Infer, Space, SpaceDetail } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { topicRules, topicsOffered, viewOfferedTopic } from '../topics/index.ts'
import { type SpaceFor, spaceAbilities } from './access.ts'
import { lockscreenConfig } from './lockscreen.ts'
import { findMembership } from './membership.ts'
import { activeSpacesOf, personById } from './queries.ts'
import { readSettings } from './settings.ts'
import { headerLinks, viewSpace } from './view.ts'

type PresenterRequest = Pick<ReadRequest, 'db' | 'actor'>

const NO_SPACES: ReadonlySet<number> = new Set()

/** The caller's spaces; queried only if a link depends on them. */
const spacesOfCaller = async ({ db, actor }: PresenterRequest, spaces: readonly SpaceFor[]): Promise<ReadonlySet<number>> =>
  spaces.some((space) => readSettings(space.settings).links.some((link) => link.membership_ids.length > 0))
    ? activeSpacesOf(db, actor.id)
    : NO_SPACES

/** Spaces as shown in lists. */
export const presentSpaces = async (ctx: PresenterRequest, spaces: readonly SpaceFor[]): Promise<Infer<typeof Space>[]> => {
  const mine = await spacesOfCaller(ctx, spaces)
  return spaces.map((space) => viewSpace(ctx.actor, space, mine))
}

/** A space with everything its page needs. */
export const presentSpace = async (ctx: PresenterRequest, space: SpaceFor): Promise<Infer<typeof SpaceDetail>> => {
  const { db, actor } = ctx
  const abilities = spaceAbilities(actor, space)
  const [mine, creator, membership, rules] = await Promise.all([
    spacesOfCaller(ctx, [space]),
    space.created_by === null ? undefined : personById(db, [space.created_by]),
    space.my_status ? findMembership(db, space.id, actor.id) : undefined,
    topicRules(db),
  ])
  return {
    ...viewSpace(actor, space, mine),
    creator: creator ?? null,
    membership: membership ?? null,
    topics: rules.on ? (await topicsOffered(db, space.id)).map(viewOfferedTopic) : [],
    header_links: headerLinks(abilities),
    lockscreen_config: lockscreenConfig(space, abilities),
  }
}
