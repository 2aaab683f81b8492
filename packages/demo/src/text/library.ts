import { seedFrom } from '../random.ts'
import { type Pool, pool } from './pool.ts'
import { compile, type SlotLists, slotLists, type Template } from './template.ts'
import type { Case, Kind, Language, Notice, Topic, Voice } from './types.ts'

/** Turns every list of sentences in a record into a pool. */
export type Pooled<T> = T extends string[]
  ? Pool
  : T extends (infer Item)[]
    ? Pooled<Item>[]
    : T extends object
      ? { [Key in keyof T]: Pooled<T[Key]> }
      : T

export interface TopicBook {
  key: string
  voice: VoiceBook
  lists: SlotLists
  cases: CaseBook[]
  /** Cases of the language that suit the topic. */
  generic: CaseBook[]
  shows: Pool
  details: Pool
  tips: Pool
  opinions: Pool
  replies: Pool
  polls: Topic['polls']
  code: { titles: Pool; intro: Pool; fence: string; code: string[]; outro: Pool; answers: Pool }[]
  tables: { titles: Pool; intro: Pool; rows: Pool; head: string; columns: [string, Pool][]; outro: Pool }[]
  about: string[]
}
export type CaseBook = Pooled<Omit<Case, 'tried'>> & { tried: Pool | null }

export type NoticeKind = 'announcement' | 'thread' | 'trade' | 'hello'

export type ReplyBook = Record<'any' | 'short' | 'lead' | 'back' | 'author' | 'solved' | 'proud', Pool> & {
  byKind: Partial<Record<Kind, Pool>>
}

export interface VoiceBook {
  language: Language
  space: string
  colon: string
  tags: Pool
  askTags: Pool
  /** Tags that may follow a question or an exclamation mark. */
  mildTags: Pool
  mildAskTags: Pool
  /** Tags of which there are very many. */
  richTags: Pool
  generic: CaseBook[]
  buying: CaseBook[]
  forms: Record<'question' | 'show' | 'tips' | 'opinion' | 'link' | 'story' | 'event', { titles: Pool; open: Pool; close: Pool }>
  asides: Pool
  greet: Pool
  because: Pool
  sites: Pool
  why: Pool
  turn: Pool
  after: Pool
  lesson: Pool
  reasons: Pool | null
  facts: { label: string; texts: Pool }[]
  poll: Pooled<Voice['poll']>
  notices: Record<NoticeKind, Pooled<Notice>[]>
  /** After an announcement. */
  signature: Pool
  status: Pool
  replies: ReplyBook
  /** Those that name no thing, tool or trouble: a post with a subject of its own has not mentioned them. */
  plainReplies: ReplyBook
  bios: Template[]
  lists: Voice['lists']
}

const RICH_TAGS = {
  narrow: [' ({thing*}, {where*})', ' ({where*}, {span*})', ' ({thing*})', ' ({city*}, {where*})'],
  wide: ['（{thing*}、{where*}）', '（{where*}、{span*}）', '（{thing*}）', '（{city*}、{where*}）'],
}

const caseBook = (source: Case): CaseBook => ({
  titles: pool(source.titles),
  story: pool(source.story),
  tried: source.tried ? pool(source.tried) : null,
  ask: pool(source.ask),
  answers: pool(source.answers),
})

const formBook = (form: { titles: string[]; open: string[]; close: string[] }) => ({
  titles: pool(form.titles),
  open: pool(form.open),
  close: pool(form.close),
})

function replyBook(replies: Voice['replies'], suits: (text: string) => boolean): ReplyBook {
  const { any, short, lead, back, author, solved = author, proud = author, ...byKind } = replies
  const poolOf = (sources: string[]) => pool(sources.filter(suits))
  return {
    any: poolOf(any),
    short: poolOf(short),
    lead: poolOf(lead),
    back: poolOf(back),
    author: poolOf(author),
    solved: poolOf(solved),
    proud: poolOf(proud),
    // those to events, offers and the like speak of what the post speaks of
    byKind: Object.fromEntries(
      Object.entries(byKind).map(([kind, sources]) => [kind, kind === 'question' || kind === 'opinion' ? poolOf(sources) : pool(sources)]),
    ),
  }
}

const EMPTY = { titles: [], open: [], close: [] }
const noticeBook = ({ titles, bodies }: Notice) => ({ titles: pool(titles), bodies: pool(bodies) })

/** Names no thing, tool or trouble. */
const isPlain = (text: string) => !/\{[^}]*(?:thing|gear|problem|doing|goal|did|tip)/i.test(text)

const isDeed = (text: string) => /\{did/i.test(text)

const isMild = (tag: string) => /^(?: ?[(（]| \p{Extended_Pictographic})/u.test(tag)

export function voiceBook(voice: Voice): VoiceBook {
  return {
    language: voice.language,
    space: voice.space,
    colon: voice.colon,
    tags: pool(voice.tags),
    askTags: pool([...voice.askTags, ...voice.askTags, ...voice.tags]),
    mildTags: pool(voice.tags.filter(isMild)),
    mildAskTags: pool([...voice.askTags.filter(isMild), voice.tags.find(isMild)!]),
    richTags: pool(RICH_TAGS[voice.space === '' ? 'wide' : 'narrow']),
    generic: voice.question.generic.map(caseBook),
    buying: voice.question.buying ? [caseBook(voice.question.buying)] : [],
    forms: {
      question: formBook(voice.question),
      // what was done is the better part of it
      show: formBook({
        ...voice.show,
        titles: [...voice.show.titles, ...voice.show.titles.filter(isDeed), ...voice.show.titles.filter(isDeed)],
      }),
      tips: formBook(voice.tips),
      opinion: formBook(voice.opinion),
      link: formBook(voice.link),
      story: formBook(voice.story ?? EMPTY),
      event: formBook(voice.event),
    },
    greet: pool(voice.question.greet),
    because: pool(voice.opinion.because.filter(isPlain)),
    sites: pool(voice.link.sites),
    why: pool(voice.link.why),
    turn: pool(voice.story?.turn ?? []),
    after: pool(voice.story?.after ?? []),
    lesson: pool(voice.story?.lesson ?? ['']),
    reasons: voice.tips.reasons ? pool(voice.tips.reasons) : null,
    facts: voice.event.facts.map(([label, texts]) => ({ label, texts: pool(texts) })),
    poll: { titles: pool(voice.poll.titles), open: pool(voice.poll.open), close: pool(voice.poll.close) },
    asides: pool(voice.asides),
    notices: {
      announcement: voice.announcement.notices.map(noticeBook),
      thread: (voice.thread ?? []).map(noticeBook),
      trade: (voice.trade ?? []).map(noticeBook),
      hello: [noticeBook(voice.hello)],
    },
    signature: pool(voice.announcement.close),
    status: pool(voice.status),
    replies: replyBook(voice.replies, () => true),
    plainReplies: replyBook(voice.replies, isPlain),
    bios: voice.bios.map(compile),
    lists: voice.lists,
  }
}

export function topicBook(topic: Topic, voice: Voice, book: VoiceBook): TopicBook {
  const titles = topic.resources.map(([title]) => title)
  return {
    key: topic.key,
    voice: book,
    lists: slotLists(voice.lists, topic.lists, {
      tip: topic.tips,
      claim: topic.opinions.map(claim),
      resource: titles,
      slug: titles.map(slug),
      about: topic.resources.map(([, about]) => about),
      site: [topic.key, 'blog', 'notes', 'library', 'magazine'],
    }),
    cases: topic.cases.map(caseBook),
    generic: topic.virtual ? book.generic : [...book.generic, ...book.buying],
    shows: pool(topic.shows),
    details: pool(topic.details),
    tips: pool(topic.tips),
    opinions: pool(topic.opinions),
    replies: pool(topic.replies),
    polls: topic.polls,
    code: (topic.code ?? []).map((item) => ({
      ...item,
      titles: pool(item.titles),
      intro: pool(item.intro),
      outro: pool(item.outro),
      answers: pool(item.answers),
    })),
    tables: (topic.tables ?? []).map((item) => ({
      ...item,
      titles: pool(item.titles),
      intro: pool(item.intro),
      rows: pool(item.rows),
      outro: pool(item.outro),
      columns: item.columns.map(([header, cells]) => [header, pool(cells)]),
    })),
    about: topic.resources.map(([, about]) => about),
  }
}

/** The first sentence of an opinion, fit for a title. */
function claim(opinion: string): string {
  const [sentence = opinion] = opinion.split(/(?<=[.。।])\s*(?=\S)|;\s/)
  return sentence.replace(/[.。।]$/, '')
}

export function slug(text: string): string {
  const ascii = text
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f’']/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return ascii.length > 3 ? ascii : `a-${(seedFrom(text) % 90_000) + 10_000}`
}
