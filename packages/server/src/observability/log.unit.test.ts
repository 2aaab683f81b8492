import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const LOG = join(import.meta.dirname, 'log.ts')

/** What a process writes to standard error that logs these records, line by line. */
const written = (records: readonly (readonly [object, string])[], level = 'info', format = 'auto'): string[] => {
  const program = `
    import { createLog } from ${JSON.stringify(LOG)}
    const log = createLog(${JSON.stringify(level)}, ${JSON.stringify(format)})
    for (const [fields, text] of ${JSON.stringify(records)}) log.info(fields, text)
    log.flush?.()`
  const { stderr, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  expect(stdout).toBe('')
  return stderr.split('\n').slice(0, -1)
}

test('each record is one line of JSON with its time, whatever it contains', () => {
  const hostile = 'x\r\n{"level":60,"msg":"forged"}\u2028\u0000\u001b[31m'
  const lines = written([
    [{ route: hostile, [hostile]: 1 }, hostile],
    [{}, 'plain'],
  ])
  const records = lines.map((line) => JSON.parse(line))
  expect(records).toMatchObject([
    { level: 30, msg: hostile, route: hostile },
    { level: 30, msg: 'plain' },
  ])
  for (const line of lines) expect([...line].filter((char) => char < ' ')).toEqual([])
  // Milliseconds since 1970, which are the same in every time zone.
  for (const { time } of records) expect(Math.abs(Date.now() - time)).toBeLessThan(60_000)
})

test('secrets are redacted everywhere', () => {
  const secrets = { password: 'hush', current_password: 'hush', token: 'hush', secret: 'hush', cookie: 'hush', authorization: 'hush' }
  const [line = ''] = written([[{ ...secrets, headers: secrets, request: { headers: secrets } }, 'request']])
  expect(line).not.toContain('hush')
  expect(JSON.parse(line).request.headers).toEqual(Object.fromEntries(Object.keys(secrets).map((name) => [name, '[redacted]'])))
  // What is not named as one would be seen.
  expect(written([[{ other: 'hush' }, 'request']])[0]).toContain('hush')
})

test('a level omits lower levels', () => {
  expect(written([[{}, 'plain']], 'warn')).toEqual([])
})

test('lines for people show the same, and no control character reaches the terminal', () => {
  const hostile = 'x\r\n12:00:00 INFO forged\u2028\u0000\u001b[31m\u009b31m'
  const lines = written([[{ event: 'request_completed', route: hostile, password: 'hush' }, hostile]], 'info', 'pretty')
  const [line = ''] = lines
  expect(lines).toHaveLength(1)
  expect(line).toMatch(/^\d\d:\d\d:\d\d INFO {2}x\\u000d\\u000a12:00:00 INFO forged/)
  expect(line).toContain('event=request_completed')
  expect(line).toContain('password="[redacted]"')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028]/)
})
