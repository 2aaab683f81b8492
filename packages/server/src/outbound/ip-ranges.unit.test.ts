import { expect, test } from 'vitest'
import { addressMatcher, isPublicAddress } from './ip-ranges.ts'

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '169.253.1.1',
  '192.0.1.1',
  '198.17.255.255',
  '223.255.255.254',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.170',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '4000::1',
  '',
  'localhost',
  'example.com',
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('ranges and single addresses are matched, an IPv4 address in whatever form', () => {
  const matches = addressMatcher(['10.1.0.0/16', '127.0.0.1', 'fd00::/8'])
  expect(['10.1.2.3', '127.0.0.1', '::ffff:10.1.2.3', '[fd00::1]'].filter(matches)).toHaveLength(4)
  expect(['10.2.0.1', '127.0.0.2', '::1', 'fe80::1', 'x', ''].filter(matches)).toEqual([])
})

test('an invalid range is reported', () => {
  expect(() => addressMatcher(['10.0.0.0/33'])).toThrow('10.0.0.0/33')
  expect(() => addressMatcher(['intranet'])).toThrow('intranet')
})
