import { createRandom, mix, type Random } from './random.ts'
import { type CommentPlace, commentOf } from './text/comment.ts'
import { TOPICS, VOICES } from './text/data.ts'
import { type TopicBook, topicBook, type VoiceBook, voiceBook } from './text/library.ts'
import { messageOf, type Survey, surveyOf, titleOf } from './text/post.ts'
import type { Setting } from './text/template.ts'
import type { Kind, Language, Topic } from './text/types.ts'

const voices = new Map<Language, VoiceBook>()
const topics = new Map<number, TopicBook>()

export function voiceOf(language: Language): VoiceBook {
  const known = voices.get(language)
  if (known) return known
  const book = voiceBook(VOICES.find((voice) => voice.language === language)!)
  voices.set(language, book)
  return book
}

/** Compiled when first needed, by its place in TOPICS. */
export function topicAt(index: number): TopicBook {
  const known = topics.get(index)
  if (known) return known
  const topic = TOPICS[index]!
  const voice = VOICES.find((each) => each.language === topic.language)!
  const book = topicBook(topic, voice, voiceOf(topic.language))
  topics.set(index, book)
  return book
}

/** How often the kinds of posts come, by 1000; a topic without material for one never gets it. Announcements are for moderators. */
const KIND_WEIGHTS: [Kind, number][] = [
  ['question', 330],
  ['show', 165],
  ['status', 95],
  ['tips', 80],
  ['opinion', 85],
  ['link', 70],
  ['story', 55],
  ['event', 35],
  ['thread', 22],
  ['trade', 25],
  ['poll', 9],
  ['announcement', 12],
  ['code', 60],
  ['table', 14],
  ['hello', 16],
]

export function kindWeights(topic: Topic): { kinds: Kind[]; weights: number[] } {
  const voice = VOICES.find((each) => each.language === topic.language)!
  const lacks: Partial<Record<Kind, boolean>> = {
    story: !voice.story,
    thread: !voice.thread,
    trade: !voice.trade || topic.virtual,
    code: !topic.code,
    table: !topic.tables,
  }
  const list = KIND_WEIGHTS.filter(([kind]) => !lacks[kind])
  // the lounge is where people say hello
  return {
    kinds: list.map(([kind]) => kind),
    weights: list.map(([kind, weight]) => (kind === 'hello' && topic.key === 'lounge' ? 130 : weight)),
  }
}

export interface PostRequest {
  /** Decides, with nothing else, what the post is about. */
  frame: number
  topic: number
  kind: Kind
  mention: (random: Random) => string
}

export interface PostText {
  title: string
  message: string
  content_type: 'markdown' | 'text'
  survey: Survey | null
}

export interface CommentRequest extends Omit<PostRequest, 'kind'>, Omit<CommentPlace, 'quote'> {
  /** The comment's own seed. */
  seed: number
  /** How the one who is answered is addressed. */
  op: string
}

export interface Writer {
  post(request: PostRequest): PostText
  comment(request: CommentRequest): string
}

const TITLE = 0x7111e
const MESSAGE = 0x3e55a
const TRIES = 6

/** Writes in the order in which it is asked: what has been written is not repeated as long as the material lasts. */
export function createWriter(): Writer {
  const random = createRandom(0)
  const used = new Set<number>()
  const told = new Set<number>()

  function settingFor({ topic, frame, mention }: Omit<PostRequest, 'kind'>, op: string): Setting {
    return { frame, random, lists: topicAt(topic).lists, mention: () => mention(random), op: () => op }
  }

  function title(request: PostRequest, setting: Setting): string {
    const { kind, frame } = request
    if (kind === 'status') return ''
    random.reseed(mix(frame, TITLE))
    if (kind !== 'poll' && kind !== 'announcement' && random.chance(0.03)) return ''
    let text = ''
    for (let attempt = 0; attempt < TRIES; attempt++) {
      random.reseed(mix(frame, TITLE + attempt))
      text = titleOf(kind, topicAt(request.topic), setting, attempt)
      const key = hash(text)
      if (used.has(key)) continue
      used.add(key)
      break
    }
    return text
  }

  function message(request: PostRequest, setting: Setting): string {
    let text = ''
    for (let attempt = 0; attempt < TRIES; attempt++) {
      text = draft(request, setting, attempt)
      const key = hash(text)
      if (told.has(key)) continue
      told.add(key)
      break
    }
    return text
  }

  function draft(request: PostRequest, setting: Setting, attempt: number): string {
    random.reseed(mix(request.frame, MESSAGE + attempt))
    return messageOf(request.kind, topicAt(request.topic), setting, attempt)
  }

  return {
    post(request) {
      const setting = settingFor(request, '')
      return {
        title: title(request, setting),
        message: message(request, setting),
        content_type: request.kind === 'status' ? 'text' : 'markdown',
        survey: request.kind === 'poll' ? surveyOf(topicAt(request.topic), request.frame) : null,
      }
    },
    comment(request) {
      const setting = settingFor(request, request.op)
      random.reseed(request.seed)
      const quote = () => {
        const text = quotable(draft(request, setting, 0))
        random.reseed(mix(request.seed, 1))
        return text
      }
      return commentOf(topicAt(request.topic), { ...request, quote }, setting)
    },
  }
}

/** A post's survey, without writing the post. */
export const surveyFor = (topic: number, frame: number) => surveyOf(topicAt(topic), frame)

/** A plain sentence out of a post. */
function quotable(message: string): string {
  const lines = message.split('\n').filter((line) => /^[\p{L}“«¿¡]/u.test(line))
  const sentences = lines.flatMap((line) => line.split(/(?<=[.?!])\s+|(?<=[。？！।])/u))
  return sentences.find((sentence) => sentence.length >= 20 && sentence.length <= 160 && /[.?!。？！।]$/.test(sentence)) ?? ''
}

/** 30 bits, which a Set keeps small; now and then it takes a new text for an old one, which only costs a try. */
function hash(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return (h ^ (h >>> 15)) & 0x3fffffff
}
