import type { Infer, LeaderboardEntry, Level } from '@lyceum/contract'
import { viewActiveXprofile } from '../members/view.ts'
import { type LevelRow, levelAt } from './levels.ts'
import type { AchievementFor, RankedMember } from './queries.ts'
import { BONUSES, type Group, isBonus } from './rules.ts'

type Entry = Infer<typeof LeaderboardEntry>

export const TITLES: Readonly<Record<Group, string>> = {
  today: 'Today',
  this_week: 'This week',
  this_month: 'This month',
  '7_days': 'Last 7 days',
  '30_days': 'Last 30 days',
  all_time: 'All time',
}

const viewLevel = (row: LevelRow) => ({
  id: row.id,
  title: row.title,
  slug: row.slug,
  description: row.description,
  min_points: row.min_points,
  max_points: row.max_points,
  badge_icon: row.badge_icon,
  badge_color: row.badge_color,
  serial: row.position,
  perks: JSON.parse(row.perks) as string[],
})

export const viewLevelWithCount = (row: LevelRow & { readonly members_count: number }): Infer<typeof Level> => ({
  ...viewLevel(row),
  members_count: row.members_count,
})

const viewAchievement = ({ id, code, earned_at, level_title, level_icon }: AchievementFor): Entry['achievements'][number] => {
  const { title, icon } = isBonus(code) ? BONUSES[code] : { title: level_title ?? '', icon: level_icon ?? '' }
  return { id, title, icon, earned_at }
}

/** What a member reached, beside their score on the board. */
interface MemberAchievements {
  readonly levels: readonly LevelRow[]
  readonly achievements: readonly AchievementFor[]
}

export const viewEntry = (row: RankedMember, { levels, achievements }: MemberAchievements): Omit<Entry, 'rank'> => {
  const level = levelAt(levels, row.u_total_points)
  return {
    user_id: row.user_id,
    xprofile: viewActiveXprofile(row),
    total_points: row.points,
    last_activity: row.u_last_activity,
    badge: level ? { slug: level.slug, title: level.title, icon: level.badge_icon, color: level.badge_color } : null,
    level: level ? viewLevel(level) : null,
    points_breakdown: {
      posts_created: row.posts,
      comments_made: row.comments,
      reactions_received: row.reactions,
      courses_completed: row.courses,
      helpful_votes: row.helpful,
    },
    achievements: achievements.map(viewAchievement),
    stats: {
      posts_count: row.posts_count ?? 0,
      comments_count: row.comments_count ?? 0,
      reactions_count: row.reactions_count ?? 0,
      courses_completed: row.courses_count ?? 0,
      member_since: row.u_created_at,
    },
  }
}
