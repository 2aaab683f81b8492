import { expect, test } from 'vitest'
import { CALLERS, OPERATORS, outgoingFiles, readSources } from './callers.ts'
import { SINKS } from './sinks.ts'

/** Files that match but open no external connection, and the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  'images/converter.ts': 'starts a process of the server that converts images',
  'http/check-address.ts': 'tries whether the address to listen on is free',
  'http/security/host-check.ts': 'tells addresses from names',
  'modules/migrations/runs.ts': 'starts the command that runs an import, whose requests a test of its own covers',
  'http/node-server.ts': 'listens, and closes what listens',
}

const listed = [...Object.keys(CALLERS), ...Object.keys(OPERATORS), ...Object.keys(HARMLESS)].sort()

test('every file that makes outbound connections is listed with its test', () => {
  expect(outgoingFiles(readSources())).toEqual(listed)
  expect([...new Set(Object.values(CALLERS).flat())].sort()).toEqual(SINKS.map(({ name }) => name).sort())
})

test('control: a new caller is detected, whichever API it uses', () => {
  const sources = readSources()
  for (const line of [
    `const { outbound } = services`,
    `await ctx.services.outbound.request(url)`,
    `const send = ({ providers }: Services) => providers.request(url)`,
    `import { connect } from 'node:net'`,
    `import { request } from 'node:https'`,
    `const undici = library<typeof import('undici')>('undici')`,
    `const answer = await fetch(url)`,
  ])
    expect(outgoingFiles(new Map([...sources, ['modules/new/index.ts', line]])), line).toContain('modules/new/index.ts')
})
