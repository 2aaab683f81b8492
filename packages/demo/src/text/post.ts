import { mix, seedFrom } from '../random.ts'
import type { CaseBook, NoticeKind, TopicBook } from './library.ts'
import { any, type Pool, several } from './pool.ts'
import { compile, render, type Setting } from './template.ts'
import type { Kind } from './types.ts'

export interface Survey {
  question: string
  options: { slug: string; label: string }[]
  allow_multiple: boolean
  show_results: 'always' | 'after_vote' | 'never'
}

const CASE = seedFrom('case')
const COUNT = seedFrom('=k')
const LINK = seedFrom('resource')
const FORM = seedFrom('form')
const RESOURCE = compile('{resource}')

/** The paragraphs of a post; empty ones fall out. */
type Compose = (topic: TopicBook, setting: Setting) => string[]

/** The situation that a question is about, mostly one of the topic's own. */
export function caseOf(topic: TopicBook, frame: number): CaseBook {
  const choice = mix(frame, CASE)
  const list = (choice >>> 8) % 100 < 58 ? topic.cases : topic.generic
  return list[choice % list.length]!
}

const OWN_SUBJECT = new Set<Kind>(['opinion', 'code', 'poll', 'table', 'event', 'hello', 'status', 'announcement', 'trade'])

const CLAIM = seedFrom('claim')

/** The opinion that the title of a post states. */
const opinionOf = (topic: TopicBook, setting: Setting) =>
  render(topic.opinions.templates[mix(setting.frame, CLAIM) % topic.opinions.templates.length]!, setting)

/** Whether a post is about something that its general slots do not name. */
export function ownSubject(topic: TopicBook, kind: Kind, frame: number): boolean {
  return kind === 'question' ? topic.cases.includes(caseOf(topic, frame)) : OWN_SUBJECT.has(kind)
}

/** The code or table that a post shows: the same for the answers. */
export const codeOf = (topic: TopicBook, frame: number) => topic.code[mix(frame, FORM) % topic.code.length]!
const tableOf = (topic: TopicBook, frame: number) => topic.tables[mix(frame, FORM) % topic.tables.length]!

function noticeOf(kind: NoticeKind, topic: TopicBook, frame: number): { titles: Pool; bodies: Pool } {
  const notices = topic.voice.notices[kind]
  return notices[mix(frame, FORM) % notices.length]!
}

export function surveyOf(topic: TopicBook, frame: number): Survey {
  const choice = mix(frame, FORM)
  const poll = topic.polls[choice % topic.polls.length]!
  return {
    question: poll.question,
    options: poll.options.map((label, index) => ({ slug: `option-${index + 1}`, label })),
    allow_multiple: (choice >>> 10) % 4 === 0,
    show_results: (['always', 'always', 'after_vote'] as const)[(choice >>> 12) % 3]!,
  }
}

const join = (topic: TopicBook, ...sentences: string[]) => sentences.filter((sentence) => sentence !== '').join(topic.voice.space)

const TITLES: Record<Exclude<Kind, 'status'>, (topic: TopicBook, frame: number) => Pool> = {
  question: (topic, frame) => caseOf(topic, frame).titles,
  show: ({ voice }) => voice.forms.show.titles,
  tips: ({ voice }) => voice.forms.tips.titles,
  opinion: ({ voice }) => voice.forms.opinion.titles,
  link: ({ voice }) => voice.forms.link.titles,
  event: ({ voice }) => voice.forms.event.titles,
  story: ({ voice }) => voice.forms.story.titles,
  poll: ({ voice }) => voice.poll.titles,
  announcement: (topic, frame) => noticeOf('announcement', topic, frame).titles,
  code: (topic, frame) => codeOf(topic, frame).titles,
  table: (topic, frame) => tableOf(topic, frame).titles,
  thread: (topic, frame) => noticeOf('thread', topic, frame).titles,
  trade: (topic, frame) => noticeOf('trade', topic, frame).titles,
  hello: (topic, frame) => noticeOf('hello', topic, frame).titles,
}
const TAGGED = new Set<Kind>(['question', 'show', 'tips', 'opinion', 'link', 'story', 'code', 'table', 'trade'])
const ASKING = new Set<Kind>(['question', 'code'])
const CHEERFUL = new Set<Kind>(['show', 'story', 'event', 'thread', 'hello', 'link'])
const EMOJI = ['🎉', '😄', '🙌', '👀', '💡', '✨', '😅', '☕', '🌞']

/** A title; further attempts need another `random` and give longer ones, which are likely to be new. */
export function titleOf(kind: Exclude<Kind, 'status'>, topic: TopicBook, setting: Setting, attempt: number): string {
  const { random } = setting
  const rich = attempt > 0
  let title = any(TITLES[kind](topic, setting.frame), setting)
  if (kind === 'poll') title += surveyOf(topic, setting.frame).question
  if (attempt > 1) title += any(topic.voice.richTags, setting)
  else if (TAGGED.has(kind) && random.chance(rich ? 0.9 : 0.22)) {
    const { mildTags, mildAskTags, askTags, tags } = topic.voice
    const asks = ASKING.has(kind)
    const ends = /[?!.…？！。]$/.test(title)
    const tag = any(ends ? (asks ? mildAskTags : mildTags) : asks ? askTags : tags, setting)
    if (!title.includes(tag.replace(/[(),（）]/g, '').trim())) title += tag
  }
  if (CHEERFUL.has(kind) && random.chance(rich ? 0.3 : 0.1)) title += ` ${random.pick(EMOJI)}`
  return title.length <= 150 ? title : `${title.slice(0, 149)}…`
}

/** A message; further attempts add to it. */
export function messageOf(kind: Kind, topic: TopicBook, setting: Setting, attempt: number): string {
  const { random } = setting
  const body = BODIES[kind](topic, setting).filter((paragraph) => paragraph !== '')
  const aside = attempt > 0 || random.chance(0.05) ? several(topic.voice.asides, Math.max(1, Math.min(3, attempt)), setting) : []
  return [...body, ...(aside.length > 0 ? [join(topic, ...aside)] : [])].join('\n\n')
}

const BODIES: Record<Kind, Compose> = {
  question(topic, setting) {
    const { random } = setting
    const about = caseOf(topic, setting.frame)
    const story = any(about.story, setting)
    const tried = about.tried && random.chance(0.7) ? any(about.tried, setting) : ''
    const ask = random.chance(0.35) ? join(topic, ...several(about.ask, 2, setting)) : any(about.ask, setting)
    return [
      random.chance(0.35) ? any(topic.voice.greet, setting) : '',
      ...(random.chance(0.4) ? [join(topic, story, tried, ask)] : [story, tried, ask]),
      random.chance(0.5) ? any(topic.voice.forms.question.close, setting) : '',
    ]
  },

  show(topic, setting) {
    const { random } = setting
    const { open, close } = topic.voice.forms.show
    return [
      join(topic, any(open, setting), any(topic.shows, setting)),
      join(topic, ...several(topic.details, random.int(0, 3), setting)),
      random.chance(0.2) ? any(topic.opinions, setting) : '',
      any(close, setting),
    ]
  },

  tips(topic, setting) {
    const { random } = setting
    const { open, close } = topic.voice.forms.tips
    // titles promise “5 things” with the post's number k
    const tips = several(topic.tips, 3 + (mix(setting.frame, COUNT) % 5), setting)
    const moral = random.chance(0.15) ? join(topic, any(topic.voice.lesson, setting), any(topic.opinions, setting)) : ''
    return [
      any(open, setting),
      ...(topic.voice.reasons && random.chance(0.2) ? chapters(tips, topic.voice.reasons, setting) : [listed(tips, random.chance(0.5))]),
      moral,
      any(close, setting),
    ]
  },

  opinion(topic, setting) {
    const { random } = setting
    const { open, close } = topic.voice.forms.opinion
    const [first = '', second = ''] = several(topic.voice.because, random.int(1, 2), setting)
    return [
      join(topic, any(open, setting), opinionOf(topic, setting), first),
      second,
      random.chance(0.2) ? `> ${any(topic.tips, setting)}` : '',
      any(close, setting),
    ]
  },

  link(topic, setting) {
    const { random } = setting
    const { forms, sites, why, colon } = topic.voice
    const about = topic.about[mix(setting.frame, LINK) % topic.about.length]!
    return [
      any(forms.link.open, setting),
      `[${render(RESOURCE, setting)}](${any(sites, setting)})${colon}${about}`,
      join(topic, ...several(why, random.int(1, 2), setting)),
      random.chance(0.3) ? `> ${any(random.chance(0.5) ? topic.opinions : topic.tips, setting)}` : '',
      any(forms.link.close, setting),
    ]
  },

  event(topic, setting) {
    const { random } = setting
    const { forms, facts, colon } = topic.voice
    const chosen = facts.filter((_, index) => index < 2 || random.chance(0.6))
    return [
      join(topic, ...several(forms.event.open, random.int(1, 2), setting)),
      chosen.map(({ label, texts }) => `- **${label}**${colon}${any(texts, setting)}`).join('\n'),
      any(forms.event.close, setting),
    ]
  },

  status: (topic, setting) => [
    join(topic, any(topic.voice.status, setting), setting.random.chance(0.12) ? any(topic.details, setting) : ''),
  ],

  story(topic, setting) {
    const { random } = setting
    const { forms, turn, after, lesson } = topic.voice
    const [first = '', second = ''] = several(turn, 2, setting)
    return [
      join(topic, any(forms.story.open, setting), any(topic.details, setting)),
      join(topic, any(topic.shows, setting), first),
      join(topic, random.chance(0.5) ? second : '', any(after, setting)),
      join(topic, any(lesson, setting), any(random.chance(0.5) ? topic.tips : topic.opinions, setting)),
      any(forms.story.close, setting),
    ]
  },

  poll: (topic, setting) => [
    any(topic.voice.poll.open, setting),
    setting.random.chance(0.3) ? any(topic.opinions, setting) : '',
    any(topic.voice.poll.close, setting),
  ],

  announcement: (topic, setting) => [
    any(noticeOf('announcement', topic, setting.frame).bodies, setting),
    any(topic.voice.signature, setting),
  ],

  code(topic, setting) {
    const item = codeOf(topic, setting.frame)
    return [
      any(item.intro, setting),
      `\`\`\`${item.fence}\n${setting.random.pick(item.code)}\n\`\`\``,
      join(topic, any(item.outro, setting), setting.random.chance(0.3) ? any(topic.details, setting) : ''),
    ]
  },

  table(topic, setting) {
    const item = tableOf(topic, setting.frame)
    const thought = setting.random.chance(0.4) ? any(topic.opinions, setting) : ''
    return [any(item.intro, setting), rowsOf(item, setting), join(topic, any(item.outro, setting), thought)]
  },

  thread: (topic, setting) => [any(noticeOf('thread', topic, setting.frame).bodies, setting)],
  trade: (topic, setting) => [any(noticeOf('trade', topic, setting.frame).bodies, setting)],
  hello: (topic, setting) => [any(noticeOf('hello', topic, setting.frame).bodies, setting)],
}

export const listed = (items: string[], numbered: boolean) =>
  items.map((item, index) => `${numbered ? `${index + 1}.` : '-'} ${item}`).join('\n')

function chapters(tips: string[], reasons: Pool, setting: Setting): string[] {
  const texts = several(reasons, tips.length, setting)
  return tips.map((tip, index) => `### ${index + 1}. ${tip.replace(/[.。।]$/, '')}\n\n${texts[index]!}`)
}

function rowsOf({ head, rows, columns }: TopicBook['tables'][number], setting: Setting): string {
  const all = rows.templates.length
  const start = columns.length === 0 ? 0 : setting.random.int(0, all - 1)
  const count = columns.length === 0 ? all : 4 + (mix(setting.frame, COUNT) % 4)
  const headers = [...head.split(' | '), ...columns.map(([header]) => header)]
  const lines = [headers, headers.map(() => '---')]
  for (let row = 0; row < count; row++) {
    lines.push([render(rows.templates[(start + row) % all]!, setting), ...columns.map(([, cells]) => any(cells, setting))])
  }
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
