import { datetimeFromText } from '../datetime.ts'
import type { Entry } from '../source.ts'
import { type Category, groupingCategories, inOrder, pathOf } from './categories.ts'
import { type Community, hasAccount, isTrue, permalinksOf, spaceOfCategory, spaceOfGroup } from './community.ts'
import { plainMarkdown } from './markdown.ts'
import { uploadOf } from './media.ts'

/** Id of the space group for spaces that were groups. */
const GROUPS = 'groups'

interface Group {
  readonly id: number
  readonly name: string
  readonly full_name: string | null
  readonly bio_raw: string | null
  readonly created_at: string | null
  readonly visibility_level: number | null
  readonly members_visibility_level: number | null
  readonly public_admission: string | null
  readonly allow_membership_requests: string | null
}

/** Custom groups. */
export const ownGroups = ({ staging }: Community): Group[] => [
  ...staging.rows<Group>(`select * from "groups" where id > 0 and coalesce(automatic, 'f') <> 't' order by name, id`),
]

export function* readSpaceGroups(community: Community): Generator<Entry<'space_groups'>> {
  const grouping = groupingCategories(community.categories)
  for (const [at, { id, name, slug, description, created_at }] of grouping.entries())
    yield {
      id: spaceOfCategory(id),
      title: name,
      slug,
      ...(description && { description }),
      position: at + 1,
      created_at: datetimeFromText(created_at) ?? community.earliest,
    }
  if (ownGroups(community).length > 0)
    yield { id: GROUPS, title: 'Groups', slug: 'groups', position: grouping.length + 1, created_at: community.earliest }
}

const categoryUrls = (community: Community, category: Category): string[] => {
  const { base, categories } = community
  const path = pathOf(categories, category).map(({ slug }) => slug)
  const paths = [`${path.join('/')}/${category.id}`, `${category.slug}/${category.id}`, path.join('/'), `${category.id}`]
  return [...new Set(paths.map((each) => `${base}/c/${each}`)), ...permalinksOf(community, 'category_id', category.id)]
}

const categorySpace = (community: Community, category: Category, group: string | null, position: number): Entry<'spaces'> => {
  const { id, name, slug, description, readers, canPost, canReply, creator, created_at } = category
  const [logo, cover] = [uploadOf(community, category.logo), uploadOf(community, category.background)]
  return {
    id: spaceOfCategory(id),
    urls: categoryUrls(community, category),
    ...(group && { group }),
    title: name || slug,
    slug,
    ...(description && { description }),
    privacy: readers === null ? 'public' : 'secret',
    status: 'published',
    settings: { restricted_post_only: canPost ? 'no' : 'yes', allow_comments: canReply },
    ...(logo && { logo }),
    ...(cover && { cover_photo: cover }),
    position,
    ...(creator !== null && hasAccount(community, creator) && { created_by: String(creator) }),
    created_at: datetimeFromText(created_at) ?? community.earliest,
  }
}

/** Visibility levels of a group's member list, by their number. */
const MEMBERS_PAGE = ['everybody', 'logged_in', 'members_only', 'admin_only', 'admin_only'] as const
const LOGGED_ON = 1

const groupSpace = ({ base, earliest }: Community, group: Group, position: number): Entry<'spaces'> => {
  const { id, name, full_name, bio_raw, visibility_level, members_visibility_level, public_admission, allow_membership_requests } = group
  const description = plainMarkdown(bio_raw ?? '')
  const shown = visibility_level !== null && visibility_level <= LOGGED_ON
  return {
    id: spaceOfGroup(id),
    urls: [`${base}/g/${name}`, `${base}/groups/${name}`],
    group: GROUPS,
    title: full_name?.trim() || name,
    slug: name,
    ...(description && { description }),
    privacy: !shown ? 'secret' : isTrue(public_admission) ? 'public' : 'private',
    status: 'published',
    settings: {
      can_request_join: isTrue(allow_membership_requests) ? 'yes' : 'no',
      members_page_status: MEMBERS_PAGE[members_visibility_level ?? 4] ?? 'admin_only',
    },
    position,
    created_at: datetimeFromText(group.created_at) ?? earliest,
  }
}

/** Categories, then custom groups. */
export function* readSpaces(community: Community): Generator<Entry<'spaces'>> {
  const { categories } = community
  const groups = new Set(groupingCategories(categories))
  let position = 0
  for (const category of [...categories.values()].sort(inOrder)) {
    const [top] = pathOf(categories, category)
    yield categorySpace(community, category, top && groups.has(top) ? spaceOfCategory(top.id) : null, ++position)
  }
  for (const group of ownGroups(community)) yield groupSpace(community, group, ++position)
}
