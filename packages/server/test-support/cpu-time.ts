/** CPU time that this thread has used, in milliseconds. Other threads and processes do not count. */
export const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

export const cpuTimeOf = (work: () => unknown): number => {
  const before = cpuTime()
  work()
  return cpuTime() - before
}

/** Text to scan, objects to allocate and characters to look at, as parsers do. */
const referenceWork = (): number => {
  let sum = 0
  for (let i = 0; i < 1600; i++) {
    const text = `<p class="a${i}">word &amp; **other** [link](https://example.com/${i})</p>\n`.repeat(20)
    const words = text.split(/[\s<>&*[\]()]+/).map((word, at) => ({ word, at }))
    sum += text.replace(/&amp;|\*\*/g, '_').length + new Map(words.map(({ word, at }) => [word, at])).size
    for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at) & 1
  }
  return sum
}

/** What the reference work takes on the machine for which the tests' limits are written, in milliseconds. */
const REFERENCE_MS = 12
const ATTEMPTS = 5

/** How many times slower this machine is now than the one for which the tests' limits are written; at least 1. */
export const slowdown = (): number => {
  const best = Math.min(...Array.from({ length: ATTEMPTS }, () => cpuTimeOf(referenceWork)))
  return Math.max(1, best / REFERENCE_MS)
}
