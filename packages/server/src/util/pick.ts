export const pick = <T extends object, K extends keyof T>(from: T, ...keys: readonly K[]): Pick<T, K> => {
  const picked: Partial<Pick<T, K>> = {}
  for (const key of keys) picked[key] = from[key]
  return picked as Pick<T, K>
}
