import type { ChannelTexts, Way } from './channels.ts'
import { READ_BY_GET, WAYS } from './channels.ts'
import { type Kind, type Signs, secretsIn } from './secrets.ts'
import type { Holder } from './stage.ts'

export type Reveals = Readonly<Partial<Record<Holder, Readonly<Partial<Record<Way, readonly Kind[]>>>>>>

/** What everyone who manages content sees, in all spaces, since nothing limits these records to spaces. */
const CONTENT = ['secret space', 'secret post', 'secret comment', 'followers post'] as const
const READS = {
  answers: CONTENT,
  mail: CONTENT,
  push: ['secret post', 'secret comment', 'followers post'],
  stream: CONTENT,
} as const
const QUEUE = ['secret space', 'held post'] as const
const REPORTS = ['report of a secret post', 'report of an open post', 'reporter'] as const

/** Which holder learns what through which channel. A missing holder or channel reveals nothing. */
export const REVEALS: Reveals = {
  manage_feeds: READS,
  manage_comments: READS,
  manage_spaces: READS,
  manage_space_members: READS,
  moderate_spaces: READS,
  view_reports: { reports: REPORTS },
  resolve_reports: { ...READS, queue: QUEUE },
  'global moderator': { ...READS, queue: QUEUE, reports: ['secret post', ...REPORTS] },
  administrator: {
    ...READS,
    answers: [...CONTENT, 'email', 'applicant email'],
    reports: ['secret post', ...REPORTS],
    queue: QUEUE,
    'audit log': ['secret space', 'network'],
    analytics: ['secret space'],
    webhook: [...CONTENT, ...REPORTS],
  },
}

/** What each channel revealed to a person. */
export const revealed = (heard: ChannelTexts, signs: Signs): Partial<Record<Way, readonly Kind[]>> =>
  Object.fromEntries(WAYS.map((way) => [way, secretsIn(heard[way], signs)]).filter(([, kinds]) => (kinds as Kind[]).length > 0))

const HAS_ITS_OWN_ANSWER = new Set<Kind>(CONTENT)

/** What another channel revealed although every GET request refuses it to the same person. */
export const beyondAnswers = (rows: Partial<Record<Way, readonly Kind[]>>): string[] => {
  const asked = new Set(WAYS.filter((way) => READ_BY_GET.has(way)).flatMap((way) => rows[way] ?? []))
  const answered = (kind: Kind) => (HAS_ITS_OWN_ANSWER.has(kind) ? rows.answers?.includes(kind) : asked.has(kind))
  return WAYS.flatMap((way) => (rows[way] ?? []).filter((kind) => !answered(kind)).map((kind) => `${way}: ${kind}`))
}

export const linesOfReveals = (reveals: Reveals): string[] =>
  Object.entries(reveals)
    .flatMap(([holder, rows]) => Object.entries(rows).map(([way, kinds]) => `${holder}, ${way}: ${[...kinds].sort().join(', ')}`))
    .sort()
