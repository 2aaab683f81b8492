/** One question as it stands in a GIFT file: its lines without comments, and the number of each. */
export interface GiftBlock {
  readonly text: string
  readonly lines: readonly number[]
  readonly category: string
}

const CATEGORY = /^\s*\$CATEGORY:\s*(.*?)\s*$/i

const count = (text: string, sign: RegExp) => text.match(sign)?.length ?? 0
/** Its answers have been given: every { has its }. */
const isAnswered = (text: string) => {
  const plain = text.replace(/\\./g, '')
  return plain.includes('}') && count(plain, /\{/g) === count(plain, /\}/g)
}

/** Questions stand between empty lines, or begin with their name; comments and categories are lines of their own. */
export const giftBlocks = (source: string): GiftBlock[] => {
  const blocks: GiftBlock[] = []
  let category = ''
  let open: { text: string; number: number }[] = []
  const close = () => {
    if (open.length > 0) blocks.push({ text: open.map(({ text }) => text).join('\n'), lines: open.map(({ number }) => number), category })
    open = []
  }
  for (const [index, line] of source.split(/\r\n|\n|\r/).entries()) {
    const named = CATEGORY.exec(line)
    if (named) {
      close()
      category = named[1] as string
    } else if (line.trim() === '') close()
    else if (!/^\s*\/\//.test(line)) {
      // Many forget the empty line; a name begins a question for certain once the one before is closed.
      if (/^\s*::.*::/.test(line) && isAnswered(open.map(({ text }) => text).join('\n'))) close()
      open.push({ text: line, number: index + 1 })
    }
  }
  close()
  return blocks
}

/** The number of the line on which a place of the block's text stands. */
export const lineAt = ({ text, lines }: GiftBlock, at: number): number => {
  let index = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) index++
  return lines[index] ?? lines.at(-1) ?? 1
}
