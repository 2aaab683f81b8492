import { timingSafeEqual } from 'node:crypto'

/** Whether two strings are equal, in a time that depends only on their lengths. */
export const equalInConstantTime = (a: string, b: string): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
