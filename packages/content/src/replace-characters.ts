/** Returns a function that replaces characters. Each of the space-separated `pairs` is a character and its replacement. */
export const replacing = (pairs: string): ((text: string) => string) => {
  const replacements = new Map(
    pairs
      .split(' ')
      .map((pair) => [...pair])
      .map(([from = '', ...to]) => [from, to.join('')]),
  )
  const listed = new RegExp(`[${[...replacements.keys()].join('')}]`, 'gu')
  return (text) => text.replace(listed, (character) => replacements.get(character) ?? character)
}
