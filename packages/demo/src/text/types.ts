export type Language = 'en' | 'de' | 'es' | 'fr' | 'pt' | 'ja' | 'zh' | 'ar' | 'ru' | 'hi'

/** What a post is at heart; it decides the form of the text and the tone of the answers. */
export const KINDS = [
  'question',
  'show',
  'tips',
  'opinion',
  'link',
  'event',
  'status',
  'story',
  'poll',
  'announcement',
  'code',
  'table',
  'thread',
  'trade',
  'hello',
] as const
export type Kind = (typeof KINDS)[number]

/** A situation that people ask about, with the answers that fit it. All strings are templates. */
export interface Case {
  titles: string[]
  story: string[]
  tried?: string[]
  ask: string[]
  answers: string[]
}

/** `code` is literal text; the rest are templates. */
export interface CodeCase {
  titles: string[]
  intro: string[]
  fence: string
  code: string[]
  outro: string[]
  answers: string[]
}

/** A comparison: each row begins with an entry of `rows`, each further cell is drawn from its column. */
export interface TableCase {
  titles: string[]
  intro: string[]
  /** Templates; where there are no columns, whole rows with their cells divided by bars, all shown in order. */
  rows: string[]
  /** Headers, divided by bars; those of the columns come after them. */
  head: string
  columns: [string, string[]][]
  outro: string[]
}

export interface PollCase {
  question: string
  options: string[]
}

/**
 * What one community circle talks about. The lists thing, gear, problem, doing, did, where and goal (in English field as well)
 * serve the language's own templates.
 */
export interface Topic {
  key: string
  language: Language
  /** The things of its list gear cannot be bought, lent or scratched. */
  virtual?: boolean
  lists: Record<string, string[]>
  cases: Case[]
  shows: string[]
  details: string[]
  tips: string[]
  opinions: string[]
  replies: string[]
  polls: PollCase[]
  /** Things to link to: [title, what it is about]. */
  resources: [string, string][]
  code?: CodeCase[]
  tables?: TableCase[]
}

/** Titles with the openings and closings around topical sentences. */
export interface Form {
  titles: string[]
  open: string[]
  close: string[]
}

/** Titles with the messages that fit all of them. */
export interface Notice {
  titles: string[]
  bodies: string[]
}

/** How one language speaks, whatever the topic. All strings are templates. */
export interface Voice {
  language: Language
  /** Between two sentences. */
  space: string
  colon: string
  lists: Record<string, string[]>
  /** Appended to a title now and then; the second list to those that ask for help. */
  tags: string[]
  askTags: string[]
  /** A sentence that may follow any post. */
  asides: string[]
  question: Form & { greet: string[]; generic: Case[]; buying: Case | null }
  show: Form
  /** `reasons` may stand under each tip of a longer list. */
  tips: Form & { reasons?: string[] }
  /** In its titles {claim} is the opinion itself. */
  opinion: Form & { because: string[] }
  link: Form & { sites: string[]; why: string[] }
  /** Kinds that a language leaves out are not written in it. */
  story?: Form & { turn: string[]; after: string[]; lesson: string[] }
  /** `titles` stand before the question. */
  poll: { titles: string[]; open: string[]; close: string[] }
  event: Form & { facts: [string, string[]][] }
  announcement: { notices: Notice[]; close: string[] }
  thread?: Notice[]
  trade?: Notice[]
  hello: Notice
  status: string[]
  replies: Partial<Record<Kind, string[]>> & {
    /** Fits any post. */
    any: string[]
    /** A few words. */
    short: string[]
    /** Before a topical tip or opinion. */
    lead: string[]
    /** To a comment, {op} is its author. */
    back: string[]
    /** By the post's author: about anything, to answers, to praise. */
    author: string[]
    solved?: string[]
    proud?: string[]
  }
  bios: string[]
}
