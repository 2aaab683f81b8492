import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]

/** Ranges outside the public internet that ipaddr.js classifies as unicast. */
const EXTRA: readonly Range[] = ['0.0.0.0/8', '192.0.0.0/24', '192.88.99.0/24', '2001::/23', '3fff::/20'].map((text) =>
  ipaddr.parseCIDR(text),
)
const GLOBAL_V6: Range = ipaddr.parseCIDR('2000::/3')

const within = (address: Address, [network, bits]: Range) => address.kind() === network.kind() && address.match(network, bits)

/** Treats an IPv4 address in IPv6 notation as the IPv4 address. */
const parse = (text: string): Address | null => {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/s, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null
}

/** Whether an address belongs to the public internet; private, local, reserved, mapped and tunneled ones do not. */
export const isPublicAddress = (text: string): boolean => {
  const bare = text.replace(/^\[|\]$/g, '')
  if (bare.includes('%') || !ipaddr.isValid(bare)) return false
  const address = ipaddr.parse(bare)
  if (address.range() !== 'unicast') return false
  if (address.kind() === 'ipv6' && !within(address, GLOBAL_V6)) return false
  return !EXTRA.some((range) => within(address, range))
}

/**
 * Compiles CIDR ranges or single addresses into a predicate.
 * @throws Error naming the invalid range
 */
export const addressMatcher = (ranges: readonly string[]): ((text: string) => boolean) => {
  const compiled = ranges.map((range): Range => {
    if (ipaddr.isValidCIDR(range)) return ipaddr.parseCIDR(range)
    if (!ipaddr.isValid(range)) throw new Error(`${range} is no address range such as 10.0.0.0/8`)
    const address = ipaddr.parse(range)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
  return (text) => {
    const address = parse(text)
    return address !== null && compiled.some((range) => within(address, range))
  }
}
