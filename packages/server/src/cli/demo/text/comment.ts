import type { TopicBook } from './library.ts'
import { any, nth, type Pool, several, weighted } from './pool.ts'
import { caseOf, codeOf, listed } from './post.ts'
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
  const { replies, space } = topic.voice
  const { ordinal } = place
  if (place.own) return nth(replies.author, ordinal, setting)
  if (place.reply && random.chance(0.72)) {
    const first = nth(replies.back, ordinal, setting)
    return random.chance(0.2) ? first + space + nth(topic.replies, ordinal, setting) : first
  }
  const length = random.float()
  const first = sentence(topic, place, setting)
  if (length < 0.6) return first
  const second = random.chance(0.5) ? nth(replies.any, ordinal + 1, setting) : nth(topic.replies, ordinal + 2, setting)
  if (length < 0.93) return first + space + second
  return long(topic, place, setting, first, second)
}

function sentence(topic: TopicBook, { kind, ordinal }: CommentPlace, setting: Setting): string {
  const { replies, space } = topic.voice
  const answers = answersTo(topic, kind, setting.frame)
  const ofKind = replies.byKind[kind] ?? replies.any
  const pools = [answers ?? ofKind, ofKind, replies.any, topic.replies, replies.short, topic.tips, topic.opinions]
  const choice = weighted(setting.random, [
    answers ? fresh(1, answers, ordinal) : 0,
    fresh(0.55, ofKind, ordinal),
    fresh(0.35, replies.any, ordinal),
    fresh(kind === 'event' || kind === 'hello' || kind === 'trade' ? 0.08 : 0.4, topic.replies, ordinal),
    kind === 'question' ? 0.1 : 0.3,
    kind === 'question' || kind === 'opinion' ? 0.12 : 0.03,
    kind === 'opinion' || kind === 'poll' ? 0.15 : 0.02,
  ])
  const text = nth(pools[choice]!, ordinal, setting)
  if (choice < 5) return text
  const lead = any(replies.lead, setting)
  return lead ? lead + space + text : text
}

/** What fits this very question; after the first round of a long thread, people talk of other things. */
function answersTo(topic: TopicBook, kind: Kind, frame: number): Pool | null {
  if (kind === 'question') return caseOf(topic, frame).answers
  return kind === 'code' ? codeOf(topic, frame).answers : null
}

const fresh = (weight: number, from: Pool, ordinal: number) => weight * Math.min(1, (from.templates.length / (ordinal + 1)) ** 1.5)

function long(topic: TopicBook, place: CommentPlace, setting: Setting, first: string, second: string): string {
  const { random } = setting
  const { space } = topic.voice
  const form = random.float()
  if (form < 0.3) {
    const quote = place.quote()
    if (quote) return `> ${quote}\n\n${first}${space}${second}`
  }
  if (form < 0.55) return `${first}\n\n${listed(several(topic.tips, random.int(2, 3), setting), false)}\n\n${second}`
  return `${first}${space}${any(topic.details, setting)}\n\n${any(topic.opinions, setting)}${space}${second}`
}
