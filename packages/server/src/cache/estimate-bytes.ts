const OBJECT = 48
const MEMBER = 16

/** Views of one buffer, such as a text with and without its end, count once. */
const estimateMembers = (members: readonly unknown[], depth: number): number => {
  const buffers = new Map<ArrayBufferLike, number>()
  let sum = 0
  for (const member of members) {
    sum += MEMBER
    if (ArrayBuffer.isView(member)) buffers.set(member.buffer, Math.max(buffers.get(member.buffer) ?? 0, member.byteLength))
    else sum += estimateBytes(member, depth - 1)
  }
  for (const bytes of buffers.values()) sum += OBJECT + bytes
  return sum
}

/** Approximate memory of a value in bytes; of deep values, only the upper levels. */
export const estimateBytes = (value: unknown, depth = 4): number => {
  if (typeof value === 'string') return MEMBER + value.length
  if (typeof value !== 'object' || value === null) return MEMBER / 2
  if (ArrayBuffer.isView(value)) return OBJECT + value.byteLength
  if (depth === 0) return OBJECT
  if (value instanceof Map) return OBJECT + estimateMembers([...value.keys(), ...value.values()], depth)
  if (value instanceof Set) return OBJECT + estimateMembers([...value], depth)
  if (!Array.isArray(value)) return OBJECT + estimateMembers(Object.values(value), depth)
  // Lists of ids are long.
  if (typeof value[0] === 'number') return OBJECT + MEMBER * value.length
  return OBJECT + estimateMembers(value, depth)
}
