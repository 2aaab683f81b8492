import type { AccountStatus, CommentInFeed, Infer, Profile } from '@lyceum/contract'
import { accountRole } from '../../../auth/authenticate.ts'
import { pick } from '../../../util/pick.ts'
import { viewComment as viewPlainComment } from '../../comments/view.ts'
import { permalink } from '../../feeds/view.ts'
import type { ReactionCount } from '../../reactions/view.ts'
import type { ProfileRow } from '../profile-access.ts'
import { viewBadges, viewSocialLinks } from '../view.ts'
import { completeness } from './completeness.ts'
import type { CommentInFeed as CommentRow } from './queries.ts'

/** Tabs of a profile: slug, title, route name in the web app. */
const TABS = [
  ['about', 'About', 'user_profile'],
  ['posts', 'Posts', 'user_posts'],
  ['spaces', 'Spaces', 'user_spaces'],
  ['comments', 'Comments', 'user_comments'],
  ['courses', 'Courses', 'user_courses'],
] as const

const viewNavs = (address: string, spaces: boolean) =>
  TABS.filter(([slug]) => slug !== 'spaces' || spaces).map(([slug, title, name]) => ({
    slug,
    title,
    url: slug === 'about' ? address : `${address}/${slug}`,
    route: { name },
  }))

interface ProfileExtras {
  /** The description as safe HTML. */
  readonly rendered: string
  readonly posts: number
  readonly comments: number
  readonly own: boolean
  /** What the community allows the owner to change. */
  readonly may: { readonly email: boolean; readonly username: boolean }
  readonly seeEmail: boolean
  readonly seeSpaces: boolean
  readonly origin: string
}

export const viewProfile = (row: ProfileRow, extras: ProfileExtras): Infer<typeof Profile> => {
  const address = `${extras.origin}/u/${row.username}`
  return {
    ...pick(row, 'id', 'username', 'display_name', 'first_name', 'last_name', 'avatar', 'cover_photo', 'short_description', 'location'),
    ...pick(row, 'website', 'is_verified', 'total_points', 'followers_count', 'followings_count', 'created_at', 'last_activity'),
    user_id: row.id,
    email: extras.seeEmail ? row.email : '',
    lang: extras.seeEmail ? row.lang : '',
    bio: row.short_description,
    short_description_rendered: extras.rendered,
    social_links: viewSocialLinks(row.social_links),
    // Deleted accounts have no profile.
    status: row.status as Exclude<AccountStatus, 'deleted'>,
    role: accountRole(row.manager_role),
    is_private: row.is_private === 1,
    badge_slugs: viewBadges(row.badge_slugs),
    badges: viewBadges(row.badge_slugs),
    stats: { posts_count: extras.posts, comments_count: extras.comments, member_since: row.created_at },
    compilation_score: completeness(row),
    last_seen: row.last_activity,
    can_change_username: extras.own && extras.may.username,
    can_change_email: extras.own && extras.may.email,
    canViewUserSpaces: extras.seeSpaces,
    profile_navs: viewNavs(address, extras.seeSpaces),
    profile_nav_actions: extras.own ? [{ slug: 'edit', title: 'Edit profile', url: `${address}/edit`, route: { name: 'user_edit' } }] : [],
  }
}

export const viewComment = (row: CommentRow, counts: readonly ReactionCount[], origin: string): Infer<typeof CommentInFeed> => ({
  ...viewPlainComment(row, counts),
  post: {
    id: row.post_id,
    title: row.post_title,
    slug: row.post_slug,
    permalink: permalink(origin, { slug: row.post_slug, s_slug: row.s_slug }),
  },
})
