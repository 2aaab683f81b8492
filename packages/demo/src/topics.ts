import { mix } from './random.ts'
import type { Kind } from './text/types.ts'

export interface DemoTopic {
  readonly title: string
  readonly slug: string
  readonly description: string
  readonly color: string
  readonly icon: string
  readonly admin_only: boolean
  /** Index of the group whose spaces offer it; null: every place does. */
  readonly group: number | null
}

const topic = (icon: string, color: string, title: string, description: string, group: number | null = null, admin_only = false) => ({
  title,
  slug: title
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, ''),
  description,
  color,
  icon,
  admin_only,
  group,
})

/** What posts are filed under: the first ones everywhere, the last ones in the spaces of one group. */
export const DEMO_TOPICS: readonly DemoTopic[] = [
  topic('📣', '#b91c1c', 'News', 'What everybody should know', null, true),
  topic('👋', '#c2410c', 'Introductions', 'Who you are and what brought you here'),
  topic('❓', '#1d4ed8', 'Questions', 'Ask, and say what you have tried'),
  topic('✨', '#7e22ce', 'Show and tell', 'What you made, grew, found or finished'),
  topic('💡', '#a16207', 'Tips', 'What others should not have to find out themselves'),
  topic('🔗', '#0f766e', 'Worth reading', 'Articles, books and pages that helped'),
  topic('📅', '#be185d', 'Meetups', 'When and where we see each other'),
  topic('💬', '#475569', 'Discussion', 'Opinions, stories and votes'),
  topic('🔁', '#15803d', 'Swap and give away', 'What you have too much of, and what you look for'),
  topic('🍓', '#dc2626', 'In season', 'What is ripe, ready or due just now', 1),
  topic('🛠️', '#9a3412', 'Work in progress', 'Half finished, and open for advice', 2),
  topic('🧭', '#0369a1', 'Careers', 'Jobs, interviews and small companies', 3),
  topic('🗺️', '#166534', 'Routes and places', 'Where to go, and how it was', 4),
  topic('🏆', '#854d0e', 'Recommendations', 'What to read, learn or play next', 5),
]

const FILED: Readonly<Record<Kind, string | null>> = {
  announcement: 'News',
  hello: 'Introductions',
  question: 'Questions',
  code: 'Questions',
  show: 'Show and tell',
  tips: 'Tips',
  table: 'Tips',
  link: 'Worth reading',
  event: 'Meetups',
  opinion: 'Discussion',
  story: 'Discussion',
  poll: 'Discussion',
  thread: 'Discussion',
  trade: 'Swap and give away',
  status: null,
}

const indexOf = (title: string | null) => DEMO_TOPICS.findIndex((each) => each.title === title)
const BY_KIND = new Map(Object.entries(FILED).map(([kind, title]) => [kind, indexOf(title)]))
const BY_GROUP = new Map(DEMO_TOPICS.flatMap(({ group }, index) => (group === null ? [] : [[group, index] as const])))

/** Indices of the topics of a post: most have one, some two or none. `group` is that of its space. */
export function topicsFor(kind: Kind, group: number | null, frame: number): number[] {
  const luck = mix(frame, 0x70b1c) % 100
  const filed = BY_KIND.get(kind) ?? -1
  const usual = filed >= 0 && (kind === 'announcement' || luck < 75) ? [filed] : []
  const own = group === null ? undefined : BY_GROUP.get(group)
  return own !== undefined && luck % 5 === 0 ? [...usual, own] : usual
}
