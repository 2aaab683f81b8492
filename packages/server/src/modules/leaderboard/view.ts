import type { Infer, LeaderboardEntry } from '@lyceum/contract'
import { viewActiveXprofile } from '../members/view.ts'
import { type LevelRow, levelAt } from './levels.ts'
import type { Group } from './period-spans.ts'
import { BONUSES, isBonus } from './point-rules.ts'
import type { AchievementFor, RankedMember } from './queries.ts'

type Entry = Infer<typeof LeaderboardEntry>

export const TITLES: Readonly<Record<Group, string>> = {
  today: 'Today',
  this_week: 'This week',
  this_month: 'This month',
  '7_days': 'Last 7 days',
  '30_days': 'Last 30 days',
  all_time: 'All time',
}

export const viewLevel = <Row extends LevelRow>({ position, perks, ...level }: Row) => ({
  ...level,
  serial: position,
  perks: JSON.parse(perks) as string[],
})

const viewAchievement = ({ id, code, earned_at, level_title, level_icon }: AchievementFor): Entry['achievements'][number] => {
  const { title, icon } = isBonus(code) ? BONUSES[code] : { title: level_title ?? '', icon: level_icon ?? '' }
  return { id, title, icon, earned_at }
}

export const viewEntry = (
  row: RankedMember,
  levels: readonly LevelRow[],
  achievements: readonly AchievementFor[] = [],
): Omit<Entry, 'rank'> => {
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
