import type { ContentType } from '@lyceum/content'
import { ALLOWED_TAGS, ATTRIBUTES, MARKS, OTHER_TAGS, WORDS } from '#test/document-pieces.ts'
import type { Random } from '#test/random.ts'
import { PAYLOADS } from '#test/xss-payloads/index.ts'

/** A random document, in pieces so that it can be shrunk. */
export interface RandomDocument {
  readonly type: ContentType
  readonly pieces: readonly string[]
}

const piecesOfHtml = (random: Random, depth: number, budget: { left: number }): string[] => {
  const pieces: string[] = []
  for (let count = 1 + random.int(5); count > 0 && budget.left > 0; count -= 1) {
    budget.left -= 1
    if (random.oneIn(3)) {
      pieces.push(random.pick(WORDS))
      continue
    }
    if (random.oneIn(25)) {
      pieces.push(random.pick(PAYLOADS).text)
      continue
    }
    if (random.oneIn(40)) {
      pieces.push(String.fromCharCode(random.int(0x10000)))
      continue
    }
    const name = random.pick(random.oneIn(3) ? OTHER_TAGS : ALLOWED_TAGS)
    const attributes = Array.from({ length: random.int(4) }, () => ` ${random.pick(ATTRIBUTES)}`)
    pieces.push(`<${name}${attributes.join('')}${random.oneIn(30) ? '' : '>'}`)
    if (depth < 9) pieces.push(...piecesOfHtml(random, depth + 1, budget))
    // Some elements have no end tag, or a mismatched one.
    if (!random.oneIn(7)) pieces.push(`</${random.oneIn(9) ? random.pick(ALLOWED_TAGS) : name}${random.oneIn(40) ? ' x' : ''}>`)
  }
  return pieces
}

const piecesOfMarkdown = (random: Random): string[] =>
  Array.from({ length: 1 + random.int(50) }, () => {
    const chance = random.int(40)
    if (chance === 0) return random.pick(PAYLOADS).text
    if (chance < 5) return piecesOfHtml(random, 8, { left: 3 }).join('')
    return random.pick(chance < 16 ? WORDS : MARKS)
  })

export const randomDocument = (random: Random): RandomDocument => {
  if (random.oneIn(2)) return { type: 'html', pieces: piecesOfHtml(random, 0, { left: 40 }) }
  return { type: random.oneIn(2) ? 'markdown' : 'text', pieces: piecesOfMarkdown(random) }
}

const MOST_TRIES = 400

/** A smaller document that still fails, with fewer pieces, within a limited number of attempts. */
export const shrinkDocument = async (
  document: RandomDocument,
  isSo: (document: RandomDocument) => boolean | Promise<boolean>,
): Promise<RandomDocument> => {
  let best = document
  let tries = 0
  for (let size = Math.ceil(best.pieces.length / 2); size >= 1 && tries < MOST_TRIES; ) {
    let smaller: RandomDocument | undefined
    for (let from = 0; from < best.pieces.length && !smaller && tries < MOST_TRIES; from += size) {
      const pieces = best.pieces.toSpliced(from, size)
      tries += 1
      if (pieces.length > 0 && (await isSo({ ...best, pieces }))) smaller = { ...best, pieces }
    }
    if (smaller) best = smaller
    else size = size === 1 ? 0 : Math.ceil(size / 2)
  }
  return best
}
