import { datetimeOf } from '../datetime.ts'
import { type Fields, numberOf, textOf } from '../fields.ts'
import { leftOut, NO_DATA } from '../left-out.ts'
import type { Entry } from '../source.ts'
import { type Category, groupingCategories, topOf } from './categories.ts'
import { type Forum, slugAfterId, spaceOfCategory, spaceOfGroup } from './forum.ts'
import { ownGroups } from './groups.ts'
import { mediaOf } from './media.ts'

/** Id of the space group for spaces that were groups. */
const GROUPS = 'groups'

const categoryUrls = (forum: Forum, { cid, slug }: Category) => [
  ...new Set([`${forum.base}/category/${slug}`, `${forum.base}/category/${cid}`]),
]

export function* readSpaceGroups(forum: Forum): Generator<Entry<'space_groups'>> {
  const created = { created_at: forum.earliest }
  const grouping = groupingCategories(forum.categories)
  for (const [at, { cid, name, slug, description }] of grouping.entries())
    yield {
      id: spaceOfCategory(cid),
      title: name || slug,
      slug: slugAfterId(slug),
      ...(description && { description }),
      position: at + 1,
      ...created,
    }
  for (const _ of ownGroups(forum)) {
    yield { id: GROUPS, title: 'Groups', slug: 'groups', position: grouping.length + 1, ...created }
    break
  }
}

const categorySpace = (forum: Forum, category: Category, group: string | null, position: number): Entry<'spaces'> => {
  const { cid, name, slug, description, privacy, disabled, canPost, canReply } = category
  const cover = mediaOf(forum, category.background)
  return {
    id: spaceOfCategory(cid),
    urls: categoryUrls(forum, category),
    ...(group && { group }),
    title: name || slug,
    slug: slugAfterId(slug),
    ...(description && { description }),
    privacy,
    status: disabled ? 'draft' : 'published',
    settings: { restricted_post_only: canPost ? 'no' : 'yes', allow_comments: canReply },
    ...(cover && { cover_photo: cover }),
    position,
    created_at: forum.earliest,
  }
}

const groupSpace = (forum: Forum, name: string, fields: Fields, position: number): Entry<'spaces'> => {
  const slug = textOf(fields['slug']) || name
  const description = textOf(fields['description'])
  const cover = mediaOf(forum, fields['cover:url'])
  const closed = numberOf(fields['private']) !== 0
  return {
    id: spaceOfGroup(name),
    urls: [`${forum.base}/groups/${slug}`],
    group: GROUPS,
    title: name,
    slug,
    ...(description && { description }),
    privacy: numberOf(fields['hidden']) !== 0 ? 'secret' : closed ? 'private' : 'public',
    status: 'published',
    settings: { can_request_join: closed && numberOf(fields['disableJoinRequests']) !== 1 ? 'yes' : 'no' },
    ...(cover && { cover_photo: cover }),
    position,
    created_at: datetimeOf(numberOf(fields['createtime'])) ?? forum.earliest,
  }
}

/** Categories, then custom groups. */
export function* readSpaces(forum: Forum): Generator<Entry<'spaces'>> {
  const { categories, spaces } = forum
  const groups = new Set(groupingCategories(categories))
  for (const { cid, link } of categories.values()) if (link) yield leftOut(spaceOfCategory(cid), `it is a link to ${link}`)
  let position = 0
  for (const category of spaces) {
    const top = topOf(categories, category)
    yield categorySpace(forum, category, groups.has(top) ? spaceOfCategory(top.cid) : null, ++position)
  }
  for (const { name, fields } of ownGroups(forum))
    if (fields) yield groupSpace(forum, name, fields, ++position)
    else yield leftOut(spaceOfGroup(name), NO_DATA)
}
