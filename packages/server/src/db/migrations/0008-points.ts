import type { Up } from './dialect.ts'

const LEVELS = [
  ['Newcomer', 'newcomer', 0, 99, '🌱', '#94a3b8', 'Has just arrived'],
  ['Member', 'member', 100, 499, '🙂', '#22c55e', 'Takes part'],
  ['Regular', 'regular', 500, 1999, '⭐', '#3b82f6', 'Comes back again and again'],
  ['Contributor', 'contributor', 2000, 4999, '🔥', '#a855f7', 'Others learn from what they write'],
  ['Expert', 'expert', 5000, 14_999, '🏅', '#f59e0b', 'Is asked when others do not know'],
  ['Champion', 'champion', 15_000, 999_999, '🏆', '#ef4444', 'The community is hard to imagine without them'],
] as const

const CONFIG = [
  ['post_created', 50],
  ['comment_made', 10],
  ['reaction_received', 5],
  ['course_completed', 100],
  ['helpful_vote', 20],
  ['profile_completed', 50],
  ['daily_login', 5],
  ['space_joined', 10],
] as const

const PARTS = ['points', 'posts', 'comments', 'reactions', 'courses', 'helpful']

export const points: Up = ({ kind, id, int, text }) => {
  // Tables that are read by their key only are stored in its order, so a write changes one tree instead of two.
  const clustered = kind === 'sqlite' ? ' without rowid' : ''
  const parts = PARTS.map((name) => `${name} ${int} not null default 0`).join(', ')
  return [
    // Append-only: a reversal is a row of its own, on the day of the row that it reverses.
    `create table points_ledger (
        id ${id}, user_id ${int} not null references users (id) on delete cascade, kind ${text} not null, subject ${text} not null,
        points ${int} not null, event_key ${text} not null unique, space_id ${int}, feed_id ${int}, comment_id ${int}, day ${text} not null,
        created_at ${text} not null, reverses ${int})`,
    `create index points_ledger_subject on points_ledger (subject, id)`,
    `create index points_ledger_user on points_ledger (user_id, kind, day)`,
    `create unique index points_ledger_reverses on points_ledger (reverses) where reverses is not null`,
    `create index points_ledger_feed on points_ledger (feed_id, id) where feed_id is not null`,
    `create index points_ledger_comment on points_ledger (comment_id, id) where comment_id is not null`,
    `create index points_ledger_space on points_ledger (space_id, id) where space_id is not null and feed_id is not null`,

    // Sums of the ledger, updated in its transactions: per day, per period, and the number of contributions. Space 0: the whole community.
    `create table points_days (
        user_id ${int} not null references users (id) on delete cascade, space_id ${int} not null, day ${text} not null, ${parts},
        primary key (user_id, space_id, day))${clustered}`,
    `create index points_days_day on points_days (space_id, day)`,
    `create table points_windows (
        id ${id}, name ${text} not null unique, first_day ${text} not null, last_day ${text} not null,
        state ${text} not null check (state in ('filling', 'ready', 'leaving')))`,
    `create index points_windows_days on points_windows (last_day, first_day)`,
    `create table points_sums (
        user_id ${int} not null references users (id) on delete cascade,
        window_id ${int} not null references points_windows (id) on delete cascade, space_id ${int} not null, ${parts},
        primary key (user_id, window_id, space_id))${clustered}`,
    `create index points_sums_order on points_sums (window_id, space_id, points desc, user_id)`,
    `create table points_counts (
        user_id ${int} primary key references users (id) on delete cascade, posts ${int} not null default 0,
        comments ${int} not null default 0, reactions ${int} not null default 0, courses ${int} not null default 0)`,
    `insert into points_windows (name, first_day, last_day, state) values ('all_time', '0000-01-01', '9999-12-31', 'ready')`,
    `create index users_points on users (total_points, id) where status = 'active'`,

    `create table points_config (kind ${text} primary key, points ${int} not null)`,
    `insert into points_config (kind, points) values ${CONFIG.map(([kind, value]) => `('${kind}', ${value})`).join(', ')}`,
    `create table leaderboard_levels (
        id ${id}, title ${text} not null, slug ${text} not null unique, description ${text} not null default '', min_points ${int} not null,
        max_points ${int} not null, badge_icon ${text} not null default '', badge_color ${text} not null default '', serial ${int} not null,
        perks ${text} not null default '[]')`,
    `create index leaderboard_levels_order on leaderboard_levels (serial, id)`,
    `create index leaderboard_levels_from on leaderboard_levels (min_points)`,
    `insert into leaderboard_levels (title, slug, min_points, max_points, badge_icon, badge_color, description, serial) values
        ${LEVELS.map(([title, slug, from, to, icon, color, about], i) => `('${title}', '${slug}', ${from}, ${to}, '${icon}', '${color}', '${about}', ${i + 1})`).join(', ')}`,
    // Achievements are permanent; code is that of a bonus or of a level.
    `create table achievements (
        id ${id}, user_id ${int} not null references users (id) on delete cascade, code ${text} not null,
        level_id ${int} references leaderboard_levels (id) on delete cascade, earned_at ${text} not null, unique (user_id, code))`,
    `create index achievements_user on achievements (user_id, earned_at, id)`,
    `create index achievements_level on achievements (level_id) where level_id is not null`,

    `alter table comments add column helpful_at ${text}`,
    `alter table comments add column helpful_by ${int} references users (id) on delete set null`,
    `create index comments_helpful_by on comments (helpful_by) where helpful_by is not null`,
  ]
}
