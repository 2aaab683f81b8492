import { mix, type Random, seedFrom } from '../random.ts'

/**
 * The small language in which the sentence material is written:
 *   {thing}     an entry of the list `thing`, the same one all over a post and its comments
 *   {thing2}    another entry of that list, just as constant
 *   {thing*}    a fresh entry each time
 *   {Thing}     with a capital; {a thing}, {A thing} with the English article
 *   {3-12}      a fresh number; {k=3-12} the same number all over a post and its comments; {30-90/10} in steps of ten
 *   {@}         a mention of some member; {op} of the one who is answered
 *   [one|two|]  one of these, nested as you like; brackets without a bar are text
 */
export type Template = readonly Part[]

type Part = string | Slot | Numeral | Mention | Opponent | Choice
interface Slot {
  kind: 'slot'
  id: number
  /** From the name alone: ids depend on what was compiled first. A link's slug goes with its title. */
  salt: number
  rank: number
  fresh: boolean
  capital: boolean
  article: boolean
}
interface Numeral {
  kind: 'number'
  /** 0 for a fresh number. */
  salt: number
  low: number
  step: number
  /** How many numbers there are. */
  count: number
}
interface Mention {
  kind: 'mention'
}
interface Opponent {
  kind: 'op'
}
interface Choice {
  kind: 'choice'
  options: Template[]
}

export interface Setting {
  /** Belongs to the post: the same for all that is written about it. */
  frame: number
  random: Random
  lists: SlotLists
  mention: () => string
  op: () => string
}

/** The lists of a topic and its language, by slot id. */
export type SlotLists = readonly (readonly string[] | undefined)[]

const slotIds = new Map<string, number>()

function slotId(name: string): number {
  const known = slotIds.get(name)
  if (known !== undefined) return known
  slotIds.set(name, slotIds.size)
  return slotIds.size - 1
}

/** Later records win. */
export function slotLists(...records: Record<string, readonly string[]>[]): SlotLists {
  const lists: (readonly string[] | undefined)[] = []
  for (const record of records) for (const [name, list] of Object.entries(record)) lists[slotId(name)] = list
  return lists
}

/** Names of the slots that a template needs and the lists lack. */
export function missingSlots(template: Template, lists: SlotLists): string[] {
  return template.flatMap((part) => {
    if (typeof part === 'string') return []
    if (part.kind === 'choice') return part.options.flatMap((option) => missingSlots(option, lists))
    if (part.kind !== 'slot' || lists[part.id]?.length) return []
    return [...slotIds].filter(([, id]) => id === part.id).map(([name]) => name)
  })
}

export function compile(source: string): Template {
  const parts: Part[] = []
  let literal = ''
  const add = (part: Part) => {
    if (literal) parts.push(literal)
    literal = ''
    parts.push(part)
  }
  for (let i = 0; i < source.length; i++) {
    const char = source[i]
    if (char === '{') {
      const end = source.indexOf('}', i)
      add(parseSlot(source.slice(i + 1, end)))
      i = end
    } else if (char === '[') {
      const branches = splitChoice(source, i)
      if (branches) {
        add({ kind: 'choice', options: branches.options.map(compile) })
        i = branches.end
      } else literal += char
    } else literal += char
  }
  if (literal) parts.push(literal)
  return parts
}

/** The branches of the bracket that opens at `start`, or null where it is not a choice. */
function splitChoice(source: string, start: number): { options: string[]; end: number } | null {
  const options: string[] = []
  let depth = 0
  let from = start + 1
  for (let i = start; i < source.length; i++) {
    const char = source[i]
    if (char === '[') depth++
    if (char === '|' && depth === 1) {
      options.push(source.slice(from, i))
      from = i + 1
    }
    if (char !== ']' || --depth > 0) continue
    options.push(source.slice(from, i))
    return options.length > 1 ? { options, end: i } : null
  }
  return null
}

function parseSlot(text: string): Part {
  if (text === '@') return { kind: 'mention' }
  if (text === 'op') return { kind: 'op' }
  const numeral = /^(?:(\w+)=)?(\d+)-(\d+)(?:\/(\d+))?$/.exec(text)
  if (numeral) {
    const [, name, low, high, step = 1] = numeral
    const count = Math.floor((Number(high) - Number(low)) / Number(step)) + 1
    return { kind: 'number', salt: name ? seedFrom(`=${name}`) : 0, low: Number(low), step: Number(step), count }
  }
  const slot = /^(?:([aA]) )?([A-Za-z]+)(\d?)(\*?)$/.exec(text)
  if (!slot) throw new Error(`bad slot {${text}}`)
  const name = slot[2]!
  const lower = name[0]!.toLowerCase() + name.slice(1)
  return {
    kind: 'slot',
    id: slotId(lower),
    salt: seedFrom(lower === 'slug' ? 'resource' : lower),
    rank: slot[3] ? Number(slot[3]) - 1 : 0,
    fresh: slot[4] === '*',
    capital: slot[1] ? slot[1] === 'A' : name !== lower,
    article: slot[1] !== undefined,
  }
}

export function render(template: Template, setting: Setting): string {
  const { random } = setting
  let out = ''
  for (const part of template) {
    if (typeof part === 'string') out += part
    else if (part.kind === 'slot') out += fill(part, setting)
    else if (part.kind === 'choice') out += render(random.pick(part.options), setting)
    else if (part.kind === 'mention') out += setting.mention()
    else if (part.kind === 'op') out += setting.op()
    else out += part.low + part.step * (part.salt === 0 ? random.int(0, part.count - 1) : mix(setting.frame, part.salt) % part.count)
  }
  return out
}

function fill(slot: Slot, { lists, frame, random }: Setting): string {
  const list = lists[slot.id]!
  const index = slot.fresh
    ? random.int(0, list.length - 1)
    : place(mix(frame, slot.salt), mix(frame, slot.salt + 1), slot.rank, list.length)
  const text = list[index]!
  if (slot.article) return `${slot.capital ? capital(article(text)) : article(text)} ${text}`
  return slot.capital ? capital(text) : text
}

/** First, second, third entry of a list: always different ones while the list lasts. */
function place(first: number, step: number, rank: number, length: number): number {
  if (rank === 0 || length < 2) return first % length
  return (first + 1 + ((step + rank - 1) % (length - 1))) % length
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function article(noun: string): string {
  if (/^(?:hour|honest|heir|8|11|18|[FHLMNRSX]-|[FHLMNRSX]{1}\d|LED|SSD|RSS|NPC|MVP|f\/)/.test(noun)) return 'an'
  return /^[aeiou]/i.test(noun) && !/^(?:uni|use|usb|eu|one)/i.test(noun) ? 'an' : 'a'
}
