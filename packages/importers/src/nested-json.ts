const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

/** Whether JSON is nested deeper than `levels`. Check this before parsing: a million levels take seconds to parse. */
export const isNestedDeeper = (json: string, levels: number): boolean => {
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (isText) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isText = false
    } else if (code === QUOTE) isText = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > levels) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return false
}
