import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const LOG = join(import.meta.dirname, 'log.ts')

/** What a process writes to standard error that logs these records, line by line. */
const written = (records: readonly (readonly [object, string])[], level = 'info'): string[] => {
  const program = `
    import { createLog } from ${JSON.stringify(LOG)}
    const log = createLog(${JSON.stringify(level)})
    for (const [fields, text] of ${JSON.stringify(records)}) log.info(fields, text)
    log.flush()`
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
