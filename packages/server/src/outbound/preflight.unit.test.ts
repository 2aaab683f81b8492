import { expect, test } from 'vitest'
import { couldBeReached } from './preflight.ts'

const resolve = (found: Record<string, readonly string[]>) => async (name: string) => {
  const addresses = found[name]
  if (!addresses) throw new Error('not found')
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}
const NAMES = resolve({
  'public.example': ['93.184.215.14'],
  'inside.example': ['10.0.0.7'],
  'both.example': ['93.184.215.14', '10.0.0.7'],
  'six.example': ['2606:4700::1', '::1'],
})

test.each([
  ['https://public.example/x', true],
  ['https://public.example:443/x', true],
  ['https://public.example:8443/x', false],
  ['http://public.example/x', false],
  ['https://inside.example/', false],
  ['https://both.example/', false],
  ['https://six.example/', false],
  ['https://unknown.example/', true],
  ['http://unknown.example/', false],
  ['https://93.184.215.14/', true],
  ['https://127.0.0.1/', false],
  ['https://2130706433/', false],
  ['https://0x7f.1/', false],
  ['https://[::ffff:127.0.0.1]/', false],
  ['https://user@public.example/', false],
  ['ftp://public.example/', false],
  ['nonsense', false],
])('%s: %s', async (url, reached) => {
  expect(await couldBeReached(url, [], NAMES)).toBe(reached)
})

test.each([
  ['http://inside.example:8080/', true],
  ['https://inside.example/', true],
  ['http://10.1.2.3/', true],
  ['http://both.example/', false],
  ['https://both.example/', true],
  ['http://192.168.0.1/', false],
])('with 10.0.0.0/8 allowed, %s: %s', async (url, reached) => {
  expect(await couldBeReached(url, ['10.0.0.0/8'], NAMES)).toBe(reached)
})

test('a DNS server that does not respond is not waited for', async () => {
  const started = performance.now()
  expect(await couldBeReached('https://slow.example/', [], () => new Promise(() => {}))).toBe(true)
  expect(performance.now() - started).toBeLessThan(4000)
})
