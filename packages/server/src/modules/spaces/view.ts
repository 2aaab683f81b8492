import { render } from '@lyceum/content'
import { remember } from '@lyceum/content/lazy'
import type { Infer, Space, SpaceDetail, SpacePermissions } from '@lyceum/contract'
import type { Actor, ReadRequest } from '../../core/context.ts'
import { pick } from '../../util/pick.ts'
import { topicRules, topicsOffered, viewOfferedTopic } from '../topics/index.ts'
import { type SpaceAbilities, type SpaceFor, spaceAbilities } from './access.ts'
import { lockscreenConfig } from './lockscreen.ts'
import { findMembership } from './membership.ts'
import { activeSpacesOf, personById } from './queries.ts'
import { readSettings } from './settings.ts'
import { visibleLinks } from './space-links.ts'

/** Spaces are few and read often. */
const renderDescription = remember((description) => render(description, 'html'))

const viewPermissions = (space: SpaceFor, abilities: SpaceAbilities): Infer<typeof SpacePermissions> => ({
  can_view_info: abilities.view,
  can_view_posts: abilities.read,
  can_view_members: abilities.viewMembers,
  can_create_post: abilities.post,
  can_comment: abilities.comment,
  can_react: abilities.react,
  can_pin_post: abilities.pin,
  can_approve: abilities.approve,
  edit_any_feed: abilities.moderateFeeds,
  delete_any_feed: abilities.moderateFeeds,
  edit_any_comment: abilities.moderateComments,
  delete_any_comment: abilities.moderateComments,
  can_add_member: abilities.manageMembers,
  can_remove_member: abilities.manageMembers,
  community_moderator: abilities.moderate,
  community_admin: abilities.manage,
  is_member: abilities.isMember,
  is_pending: space.my_status === 'pending',
})

const viewSettings = (space: SpaceFor, { manage, isMember }: SpaceAbilities, memberOf: ReadonlySet<number>) => {
  const settings = readSettings(space.settings)
  return {
    ...settings,
    custom_lock_screen: space.privacy === 'private' ? settings.custom_lock_screen : ('no' as const),
    links: visibleLinks(settings.links, { manages: manage, isMember, memberOf }),
  }
}

export const membersCount = (space: SpaceFor, { viewMembers }: SpaceAbilities): number =>
  readSettings(space.settings).hide_members_count === 'yes' && !viewMembers ? 0 : space.members_count

/** A space as shown to the caller. `memberOf` contains the caller's spaces and decides which links are shown. */
const viewSpace = (actor: Actor, space: SpaceFor, memberOf: ReadonlySet<number>): Infer<typeof Space> => {
  const abilities = spaceAbilities(actor, space)
  return {
    ...pick(space, 'id', 'created_by', 'parent_id', 'title', 'slug', 'logo', 'cover_photo', 'description', 'privacy', 'status'),
    ...pick(space, 'posts_count', 'created_at', 'updated_at'),
    description_rendered: renderDescription(space.description),
    type: space.type as Infer<typeof Space>['type'],
    serial: space.position,
    settings: viewSettings(space, abilities, memberOf),
    members_count: membersCount(space, abilities),
    is_member: abilities.isMember,
    role: abilities.isMember ? space.my_role : null,
    space_pivot: space.my_role && space.my_status ? { role: space.my_role, status: space.my_status } : null,
    permissions: viewPermissions(space, abilities),
  }
}

/** The tabs of a space that the caller can open. */
const headerLinks = ({ read, viewMembers }: SpaceAbilities) => [
  ...(read ? [{ title: 'Posts', route: { name: 'space_feeds' } }] : []),
  ...(viewMembers ? [{ title: 'Members', route: { name: 'space_members' } }] : []),
]

type PresenterRequest = Pick<ReadRequest, 'db' | 'actor'>

const NO_SPACES: ReadonlySet<number> = new Set()

/** The caller's spaces; queried only if a link depends on them. */
const spacesOfCaller = async ({ db, actor }: PresenterRequest, spaces: readonly SpaceFor[]): Promise<ReadonlySet<number>> =>
  spaces.some((space) => readSettings(space.settings).links.some((link) => link.membership_ids.length > 0))
    ? activeSpacesOf(db, actor.id)
    : NO_SPACES

export const presentSpaces = async (ctx: PresenterRequest, spaces: readonly SpaceFor[]): Promise<Infer<typeof Space>[]> => {
  const mine = await spacesOfCaller(ctx, spaces)
  return spaces.map((space) => viewSpace(ctx.actor, space, mine))
}

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
