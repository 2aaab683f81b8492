import {
  ChartColumn,
  DoorOpen,
  Flag,
  FolderTree,
  Gauge,
  HardDrive,
  Import,
  Inbox,
  KeyRound,
  ListChecks,
  Lock,
  Mail,
  MailOpen,
  Palette,
  PanelLeft,
  ScrollText,
  Settings2,
  ShieldCheck,
  Tags,
  Timer,
  ToggleRight,
  Trophy,
  Users,
  Webhook,
} from 'lucide-react'
import type { Me } from '../../lib/session.ts'

export type Permission = Me['permissions'][number]
type Features = Readonly<Record<string, boolean>>

const isAdmin = (me: Me) => me.role === 'admin'
const holds =
  (...wanted: Permission[]) =>
  (me: Me) =>
    isAdmin(me) || wanted.some((permission) => me.permissions.includes(permission))

/** The administration pages with the permission and the feature each one requires. */
const AREAS = [
  { to: '/admin', key: 'dashboard', group: 'overview', icon: ChartColumn, may: holds('view_analytics'), feature: 'analytics' },
  { to: '/admin/queue', key: 'queue', group: 'moderation', icon: Inbox, may: holds('resolve_reports'), feature: 'moderation' },
  { to: '/admin/reports', key: 'reports', group: 'moderation', icon: Flag, may: holds('view_reports'), feature: 'moderation' },
  { to: '/admin/rules', key: 'rules', group: 'moderation', icon: Gauge, may: isAdmin, feature: 'moderation' },
  { to: '/admin/audit', key: 'audit', group: 'moderation', icon: ScrollText, may: isAdmin, feature: null },
  {
    to: '/admin/sign-in-failures',
    key: 'signInFailures',
    group: 'moderation',
    icon: KeyRound,
    may: isAdmin,
    feature: null,
  },
  { to: '/admin/members', key: 'members', group: 'members', icon: Users, may: holds('manage_members', 'ban_members'), feature: null },
  { to: '/admin/registrations', key: 'registrations', group: 'members', icon: ListChecks, may: holds('manage_members'), feature: null },
  { to: '/admin/managers', key: 'managers', group: 'members', icon: ShieldCheck, may: isAdmin, feature: 'managers' },
  { to: '/admin/space-groups', key: 'groups', group: 'community', icon: FolderTree, may: isAdmin, feature: null },
  { to: '/admin/topics', key: 'topics', group: 'community', icon: Tags, may: isAdmin, feature: 'topics' },
  { to: '/admin/import', key: 'import', group: 'community', icon: Import, may: holds('manage_settings'), feature: null },
  { to: '/admin/levels', key: 'levels', group: 'community', icon: Trophy, may: isAdmin, feature: 'leaderboard' },
  { to: '/admin/general', key: 'general', group: 'settings', icon: Settings2, may: holds('manage_settings'), feature: null },
  { to: '/admin/appearance', key: 'appearance', group: 'settings', icon: Palette, may: holds('manage_settings'), feature: null },
  { to: '/admin/welcome', key: 'welcome', group: 'settings', icon: DoorOpen, may: holds('manage_settings'), feature: null },
  { to: '/admin/menus', key: 'menus', group: 'settings', icon: PanelLeft, may: holds('manage_settings'), feature: null },
  { to: '/admin/features', key: 'features', group: 'settings', icon: ToggleRight, may: isAdmin, feature: null },
  { to: '/admin/privacy', key: 'privacy', group: 'settings', icon: Lock, may: holds('manage_settings'), feature: null },
  { to: '/admin/mail', key: 'mail', group: 'settings', icon: Mail, may: holds('manage_settings'), feature: null },
  { to: '/admin/mail-texts', key: 'mailTexts', group: 'settings', icon: MailOpen, may: holds('manage_settings'), feature: null },
  { to: '/admin/webhooks', key: 'webhooks', group: 'settings', icon: Webhook, may: holds('manage_webhooks'), feature: 'webhooks' },
  { to: '/admin/limits', key: 'limits', group: 'settings', icon: Timer, may: isAdmin, feature: null },
  { to: '/admin/storage', key: 'storage', group: 'settings', icon: HardDrive, may: isAdmin, feature: null },
] as const

export type Area = (typeof AREAS)[number]
export const AREA_GROUPS = ['overview', 'moderation', 'members', 'community', 'settings'] as const

/** The administration page of a path. */
export const areaOfPath = (areas: readonly Area[], path: string): Area | undefined => {
  const here = path.replace(/\/$/, '')
  return areas.findLast(({ to }) => here === to || (to !== '/admin' && here.startsWith(`${to}/`)))
}

/** The administration pages a user may open. */
export const allowedAreas = (me: Me, features: Features = {}): readonly Area[] =>
  AREAS.filter(({ may, feature }) => may(me) && (feature === null || features[feature] !== false))
