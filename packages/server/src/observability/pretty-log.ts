const NAMES: Readonly<Record<number, string>> = { 10: 'TRACE', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

/** Shows control characters as escapes: a terminal would obey them. */
const harmless = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const shown = (value: unknown) => harmless(typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value))

/** A line of the log for people: local time, level, message and fields; the stack of an error follows on lines of its own. */
export const prettyLine = (json: string): string => {
  const { level, time, msg, err, ...fields } = JSON.parse(json)
  const rest = Object.entries(fields).map(([name, value]) => ` ${harmless(name)}=${shown(value)}`)
  const stack: string[] = err ? String(err.stack ?? err.message).split('\n') : []
  const at = new Date(time).toTimeString().slice(0, 8)
  return [
    `${at} ${(NAMES[level] ?? '').padEnd(5)} ${harmless(msg ?? '')}${rest.join('')}`,
    ...stack.map((line) => `    ${harmless(line)}`),
    '',
  ].join('\n')
}
