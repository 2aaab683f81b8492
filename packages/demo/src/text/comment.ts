import type { ReplyBook, TopicBook } from './library.ts'
import { nth, type Pool, several, weighted } from './pool.ts'
import { caseOf, codeOf, listed, ownSubject } from './post.ts'
import type { Setting } from './template.ts'
import type { Kind } from './types.ts'

export interface CommentPlace {
  kind: Kind
  /** How many comments of the post came before. */
  ordinal: number
  reply: boolean
  /** By the author of the post. */
  own: boolean
  /** A sentence of the post, if one is at hand. */
  quote: () => string
}

export function commentOf(topic: TopicBook, place: CommentPlace, setting: Setting): string {
  const { random } = setting
  const { space } = topic.voice
  const replies = ownSubject(topic, place.kind, setting.frame) ? topic.voice.plainReplies : topic.voice.replies
  const { ordinal } = place
  if (place.own) return nth(ownPool(replies, place.kind, random.float()), ordinal, setting)
  if (place.reply && random.chance(0.72)) {
    const first = nth(replies.back, ordinal, setting)
    return random.chance(0.15) ? first + space + later(secondPool(topic, replies, place.kind, random.float()), ordinal, 4, setting) : first
  }
  const length = random.float()
  const first = sentence(topic, replies, place, setting)
  if (length < 0.62) return first
  const second = later(secondPool(topic, replies, place.kind, random.float()), ordinal, 2, setting)
  if (length < 0.94) return first + space + second
  return long(topic, replies, place, setting, first, second)
}

/** How well the topic's own remarks suit a kind: they praise and ask about something that was made or seen. */
const REMARKS: Partial<Record<Kind, number>> = { show: 0.5, story: 0.35, table: 0.12, thread: 0.12, tips: 0.08, status: 0.05, code: 0.1 }
const SOLEMN = new Set<Kind>(['question', 'code'])

/** What the author of a post has to say to those who answer. */
function ownPool(replies: ReplyBook, kind: Kind, luck: number): Pool {
  if (luck < 0.35) return replies.author
  if (SOLEMN.has(kind)) return replies.solved
  return kind === 'show' || kind === 'story' ? replies.proud : replies.author
}

function sentence(topic: TopicBook, replies: ReplyBook, { kind, ordinal }: CommentPlace, setting: Setting): string {
  const { space } = topic.voice
  const answers = answersTo(topic, kind, setting.frame)
  const ofKind = replies.byKind[kind] ?? replies.any
  const pools = [answers ?? ofKind, ofKind, replies.any, topic.replies, replies.short, topic.tips, topic.opinions]
  const choice = weighted(setting.random, [
    answers ? fresh(1.2, answers, ordinal) : 0,
    fresh(0.6, ofKind, ordinal),
    fresh(0.35, replies.any, ordinal),
    fresh(REMARKS[kind] ?? 0, topic.replies, ordinal),
    SOLEMN.has(kind) ? 0 : 0.32,
    kind === 'opinion' ? 0.1 : SOLEMN.has(kind) ? 0 : 0.02,
    kind === 'opinion' || kind === 'poll' ? 0.15 : 0,
  ])
  const text = nth(pools[choice]!, ordinal, setting)
  if (choice < 5) return text
  const lead = nth(replies.lead, ordinal, setting)
  return lead ? lead + space + text : text
}

function secondPool(topic: TopicBook, replies: ReplyBook, kind: Kind, luck: number): Pool {
  if (luck < (REMARKS[kind] ?? 0)) return topic.replies
  return luck < 0.65 ? (replies.byKind[kind] ?? replies.any) : replies.any
}

/** Far from what others of this thread say first. */
const later = (from: Pool, ordinal: number, part: number, setting: Setting) =>
  nth(from, ordinal + Math.ceil(from.templates.length / part), setting)

/** What fits this very question. */
function answersTo(topic: TopicBook, kind: Kind, frame: number): Pool | null {
  if (kind === 'question') return caseOf(topic, frame).answers
  return kind === 'code' ? codeOf(topic, frame).answers : null
}

/** Once a thread has used them up, people talk of other things. */
const fresh = (weight: number, from: Pool, ordinal: number) => weight * Math.min(1, (from.templates.length / (ordinal + 1)) ** 5)

function long(topic: TopicBook, replies: ReplyBook, place: CommentPlace, setting: Setting, first: string, second: string): string {
  const { random } = setting
  const { space } = topic.voice
  const form = random.float()
  if (form < 0.3) {
    const quote = place.quote()
    if (quote) return `> ${quote}\n\n${first}${space}${second}`
  }
  if (form < 0.5 && !SOLEMN.has(place.kind))
    return `${first}\n\n${listed(several(topic.tips, random.int(2, 3), setting), false)}\n\n${second}`
  const third = later(replies.any, place.ordinal, 3, setting)
  return `${first}${space}${second}\n\n${third}`
}
