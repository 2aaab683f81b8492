import type { Tokenizer, TokenizerCallbacks } from 'htmlparser2'
import { lazyRequire } from '../util/lazy.ts'

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
  return {
    onopentagname: (start, end) => {
      flush()
      skipping = ++tags > MAX_TAGS || parser.stack.length >= MAX_DEPTH
      if (!skipping) return parser.onopentagname(start, end)
      const name = nameAt(start, end)
      omitted.set(name, (omitted.get(name) ?? 0) + 1)
    },
    onattribname: (start, end) => {
      if (!skipping) parser.onattribname(start, end)
    },
    onattribdata: (start, end) => {
      if (!skipping) parser.onattribdata(start, end)
    },
    onattribentity: (codepoint) => {
      if (!skipping) parser.onattribentity(codepoint)
    },
    onattribend: (quote, end) => {
      if (!skipping) parser.onattribend(quote, end)
    },
    onopentagend: (end) => {
      if (!skipping) parser.onopentagend(end)
      skipping = false
    },
    onselfclosingtag: (end) => {
      if (!skipping) parser.onselfclosingtag(end)
      skipping = false
    },
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
    ontextentity: (codepoint, end) => {
      flush()
      parser.ontextentity(codepoint, end)
    },
    oncdata: (start, end, offset) => {
      flush()
      parser.oncdata(start, end, offset)
    },
    oncomment: (start, end, offset) => {
      flush()
      parser.oncomment(start, end, offset)
    },
    ondeclaration: (start, end) => {
      flush()
      parser.ondeclaration(start, end)
    },
    onprocessinginstruction: (start, end) => {
      flush()
      parser.onprocessinginstruction(start, end)
    },
    onend: () => {
      flush()
      parser.onend()
    },
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
