import { BlockList, isIP } from 'node:net'

type Ranges = Readonly<Record<'ipv4' | 'ipv6', BlockList>>

/** @throws Error naming the invalid range */
const compile = (ranges: readonly string[]): Ranges => {
  // One list for each family, since an IPv6 range of a list would also match IPv4 addresses, as mapped ones.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    const [, address = '', bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(range) ?? []
    const [family, width] = isIP(address) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const)
    const prefix = Number(bits ?? width)
    if (isIP(address) === 0 || prefix > width) throw new Error(`${range} is no address range such as 10.0.0.0/8`)
    lists[family].addSubnet(address, prefix, family)
  }
  return lists
}

const MAPPED = compile(['::ffff:0:0/96']).ipv6
const GLOBAL_V6 = compile(['2000::/3']).ipv6
/** Special-purpose ranges of IPv4 and of 2000::/3 at IANA: private, shared, local, documentation, tunnels, multicast, reserved. */
const SPECIAL = compile(
  (
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 ' +
    '192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 ' +
    '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'
  ).split(' '),
)

/** Treats an IPv4 address in IPv6 notation as the IPv4 address. */
const contains = ({ ipv4, ipv6 }: Ranges, address: string): boolean => {
  const version = isIP(address)
  if (version === 6) return (MAPPED.check(address, 'ipv6') ? ipv4 : ipv6).check(address, 'ipv6')
  return version === 4 && ipv4.check(address)
}

const withoutBrackets = (text: string) => text.replace(/^\[|\]$/g, '')

/** Whether an address belongs to the public internet; private, local, reserved, mapped and tunneled ones do not. */
export const isPublicAddress = (text: string): boolean => {
  const address = withoutBrackets(text)
  const version = address.includes('%') ? 0 : isIP(address)
  return (version === 4 || (version === 6 && GLOBAL_V6.check(address, 'ipv6'))) && !contains(SPECIAL, address)
}

/**
 * Compiles CIDR ranges or single addresses into a predicate.
 * @throws Error naming the invalid range
 */
export const addressMatcher = (ranges: readonly string[]): ((text: string) => boolean) => {
  const compiled = compile(ranges)
  return (text) => contains(compiled, withoutBrackets(text).replace(/%.*$/s, ''))
}
