import { expect, test } from 'vitest'
import { networkOf, wideNetworkOf } from './ip-prefix.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
  ['2001:db8:1::2:3:4:5', '2001:db8:1:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s counts as %s', (ip, counted) => {
  expect(networkOf(ip)).toBe(counted)
})

test.each([':', ':::::::::::', '1:2:3:4:5:6:7:8:9:a:b::c:d', `${'f:'.repeat(5000)}`, 'x'.repeat(10_000), '::1::2'])(
  'an invalid address is handled: %s',
  (text) => {
    expect(networkOf(text).length).toBeLessThan(60)
  },
)

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('%s is in the network %s', (ip, network) => {
  expect(wideNetworkOf(ip)).toBe(network)
})
