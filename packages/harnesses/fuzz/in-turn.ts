import type { Random } from '#test/random.ts'
import type { Operation } from './document.ts'

/** Deletions remove what other operations need, so they are less frequent. */
const OFTEN = 3

/** Draws each operation once before repeating any, so that early requests cover as much as possible. */
export const inTurn = (operations: readonly Operation[], random: Random): (() => Operation) => {
  const all = operations.flatMap((operation) => Array.from({ length: operation.method === 'DELETE' ? 1 : OFTEN }, () => operation))
  let left: Operation[] = []
  return () => {
    if (left.length === 0) left = [...all]
    return left.splice(random.int(left.length), 1)[0] as Operation
  }
}
