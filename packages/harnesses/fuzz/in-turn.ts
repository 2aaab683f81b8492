import type { Random } from '#test/random.ts'
import type { Operation } from './document.ts'

/** Deletions end what others need: they come less often. */
const OFTEN = 3

/** Draws operations until none is left, then from all of them again: the first requests meet as much as they can. */
export const inTurn = (operations: readonly Operation[], random: Random): (() => Operation) => {
  const all = operations.flatMap((operation) => Array.from({ length: operation.method === 'DELETE' ? 1 : OFTEN }, () => operation))
  let left: Operation[] = []
  return () => {
    if (left.length === 0) left = [...all]
    return left.splice(random.int(left.length), 1)[0] as Operation
  }
}
