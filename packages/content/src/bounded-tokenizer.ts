import type { Tokenizer, TokenizerCallbacks } from 'htmlparser2'
import { lazyRequire } from './lazy.ts'

/** Maximum depth and number of tags that are parsed; further tags are dropped and their content stays. */
const MAX_DEPTH = 100
const MAX_TAGS = 10_000

type Options = ConstructorParameters<typeof Tokenizer>[0]
/** The parser keeps its open elements in an array that it searches and shifts at every tag. */
type Listener = TokenizerCallbacks & { readonly stack: readonly string[] }

const htmlparser2 = lazyRequire<typeof import('htmlparser2')>('htmlparser2')

/** Passes to the parser what it can handle in linear time. `nameAt` returns the name of a tag between two positions. */
const bounded = (parser: Listener, nameAt: (start: number, end: number) => string): TokenizerCallbacks => {
  let tags = 0
  let skipping = false
  /** Dropped open elements by name, so that their end tags close nothing else. */
  const omitted = new Map<string, number>()
  let textStart = 0
  let textEnd = 0
  /** Text arrives in pieces, split at each character that could begin a tag; the parser gets it as one. */
  const flush = () => {
    if (textEnd > textStart) parser.ontext(textStart, textEnd)
    textStart = textEnd = 0
  }
  type Event = (...positions: number[]) => void
  const afterText =
    (name: 'ontextentity' | 'oncdata' | 'oncomment' | 'ondeclaration' | 'onprocessinginstruction' | 'onend'): Event =>
    (...positions) => {
      flush()
      ;(parser[name] as Event).apply(parser, positions)
    }
  const unlessSkipped =
    (name: 'onattribname' | 'onattribdata' | 'onattribentity' | 'onattribend' | 'onopentagend' | 'onselfclosingtag'): Event =>
    (...positions) => {
      if (!skipping) (parser[name] as Event).apply(parser, positions)
      if (name === 'onopentagend' || name === 'onselfclosingtag') skipping = false
    }
  return {
    onopentagname: (start, end) => {
      flush()
      skipping = ++tags > MAX_TAGS || parser.stack.length >= MAX_DEPTH
      if (!skipping) return parser.onopentagname(start, end)
      const name = nameAt(start, end)
      omitted.set(name, (omitted.get(name) ?? 0) + 1)
    },
    onattribname: unlessSkipped('onattribname'),
    onattribdata: unlessSkipped('onattribdata'),
    onattribentity: unlessSkipped('onattribentity'),
    onattribend: unlessSkipped('onattribend'),
    onopentagend: unlessSkipped('onopentagend'),
    onselfclosingtag: unlessSkipped('onselfclosingtag'),
    onclosetag: (start, end) => {
      flush()
      const name = omitted.size > 0 ? nameAt(start, end) : ''
      const open = omitted.get(name) ?? 0
      if (open > 0) omitted.set(name, open - 1)
      // Enough end tags for the elements that were parsed.
      else if (++tags <= 2 * MAX_TAGS) parser.onclosetag(start, end)
    },
    ontext: (start, end) => {
      if (start !== textEnd) flush()
      if (textEnd === 0) textStart = start
      textEnd = end
    },
    ontextentity: afterText('ontextentity'),
    oncdata: afterText('oncdata'),
    oncomment: afterText('oncomment'),
    ondeclaration: afterText('ondeclaration'),
    onprocessinginstruction: afterText('onprocessinginstruction'),
    onend: afterText('onend'),
    isInForeignContext: () => parser.isInForeignContext?.() ?? false,
  }
}

// The parser creates its tokenizer with `new`, so this cannot be an arrow function.
function makeTokenizer(options: Options, parser: Listener): Tokenizer {
  let source = ''
  const callbacks = bounded(parser, (start, end) => source.slice(start, end).toLowerCase())
  const tokenizer = new (htmlparser2().Tokenizer)(options, callbacks)
  const write = tokenizer.write.bind(tokenizer)
  tokenizer.write = (chunk) => {
    source += chunk
    write(chunk)
  }
  return tokenizer
}

/** Options that keep htmlparser2 linear. Without them, it needs quadratic time for deep nesting and for unmatched end tags. */
export const BOUNDED_PARSER = { Tokenizer: makeTokenizer as unknown as typeof Tokenizer }
