const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === false || (typeof value === 'object' && Object.keys(value).length === 0)

type Filled<T> = { [K in keyof T]?: Exclude<T[K], undefined | null | '' | false> }

/** The fields whose value is not null, false or empty. */
export const filled = <T extends object>(fields: T): Filled<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Filled<T>

/** Parses a JSON column. */
export const parsed = <T = Record<string, unknown>>(text: string): T => JSON.parse(text) as T
