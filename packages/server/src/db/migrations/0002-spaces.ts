import type { Up } from './dialect.ts'

export const spaces: Up = ({ id, int, text }) => [
  `create table space_groups (
      id ${id}, title ${text} not null, slug ${text} not null unique, description ${text} not null default '', serial ${int} not null,
      settings ${text} not null, created_at ${text} not null, updated_at ${text} not null)`,
  `create index space_groups_serial on space_groups (serial, id)`,
  `create table spaces (
      id ${id}, created_by ${int} references users (id) on delete set null,
      parent_id ${int} references space_groups (id) on delete set null, title ${text} not null, slug ${text} not null unique,
      logo ${text} not null default '', cover_photo ${text} not null default '', description ${text} not null default '',
      type ${text} not null default 'community', privacy ${text} not null default 'public' check (privacy in ('public', 'private', 'secret')),
      status ${text} not null default 'published' check (status in ('published', 'draft', 'archived')), serial ${int} not null,
      settings ${text} not null, lockscreen ${text} not null default 'null', members_count ${int} not null default 0,
      posts_count ${int} not null default 0, created_at ${text} not null, updated_at ${text} not null)`,
  `create index spaces_serial on spaces (serial, id)`,
  `create index spaces_title on spaces (title, id)`,
  `create index spaces_created on spaces (created_at, id)`,
  `create index spaces_parent on spaces (parent_id, serial, id)`,
  `create index spaces_creator on spaces (created_by)`,
  `create table space_members (
      id ${id}, space_id ${int} not null references spaces (id) on delete cascade, user_id ${int} not null references users (id) on delete cascade,
      role ${text} not null default 'member' check (role in ('member', 'moderator', 'admin')),
      status ${text} not null default 'active' check (status in ('active', 'pending', 'banned')),
      joined_at ${text} not null, updated_at ${text} not null, unique (space_id, user_id))`,
  `create index space_members_user on space_members (user_id, status, space_id, role)`,
  `create index space_members_joined on space_members (space_id, status, joined_at, id, role)`,
  `create index space_members_leaders on space_members (space_id, status, joined_at, id) where role <> 'member'`,
  `create table manager_spaces (
      user_id ${int} not null references managers (user_id) on delete cascade,
      space_id ${int} not null references spaces (id) on delete cascade, primary key (user_id, space_id))`,
  `create index manager_spaces_space on manager_spaces (space_id)`,
]
