import { invalidParameter } from '../../../core/errors.ts'

/** Position where a page ended: the order it belongs to and the sort values of its last row. */
export interface Cursor {
  readonly order: string
  readonly values: readonly (string | number)[]
}

export const writeCursor = ({ order, values }: Cursor): string => Buffer.from(JSON.stringify([order, ...values])).toString('base64url')

/** @throws invalid_parameter if the text is not a cursor of this server or belongs to another order */
export const readCursor = (text: string, order: string, types: readonly ('string' | 'number')[]): Cursor => {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    throw invalidParameter('cursor', 'is not a valid cursor')
  }
  const [cursorOrder, ...values] = Array.isArray(parsed) ? parsed : []
  const fits =
    cursorOrder === order &&
    values.length === types.length &&
    values.every((value, i) => typeof value === types[i] && !String(value).includes('\0'))
  if (!fits || values.some((value) => typeof value === 'number' && !Number.isSafeInteger(value)))
    throw invalidParameter('cursor', 'does not belong to this list')
  return { order, values }
}
