/** The last of the values with each key; in the order of the first ones. */
export const distinctBy = <T, K>(values: readonly T[], key: (value: T) => K): T[] => [
  ...new Map(values.map((value) => [key(value), value])).values(),
]

/** The ids in a field of objects, once each. */
export const idsOf = <K extends string>(objects: readonly Readonly<Record<K, number>>[], field: K): number[] => [
  ...new Set(objects.map((object) => object[field])),
]
