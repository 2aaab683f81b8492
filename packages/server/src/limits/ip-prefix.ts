/** Longer text is not an address. */
const LONGEST = 45
const IPV6 = /^[0-9a-f]*:[0-9a-f:.]*$/i

/** The eight groups of an IPv6 address, with `::` and a trailing IPv4 address expanded. */
const groupsOf = (address: string): string[] => {
  const [head = '', tail] = address.split('::')
  const split = (part: string) => (part ? part.split(':').flatMap((group) => (group.includes('.') ? ['v4', group] : [group])) : [])
  const [front, back] = [split(head), split(tail ?? '')]
  return tail === undefined ? front : [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back]
}

/**
 * The key under which requests of an address are counted: for IPv6 the /64 network, since its owner has all of its addresses; for
 * IPv4-mapped addresses the IPv4 address. Anything else, such as an invalid value from a proxy, is truncated.
 */
export const networkOf = (ip: string): string => {
  const address = ip.slice(0, LONGEST).toLowerCase().replace(/%.*$/s, '')
  if (!IPV6.test(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (mapped) return mapped
  const network = groupsOf(address).slice(0, 4)
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

/** The wider network of an address, which usually has one owner: /24 for IPv4, /48 for IPv6. */
export const wideNetworkOf = (ip: string): string => {
  const narrow = networkOf(ip)
  if (narrow.endsWith('::/64')) return `${narrow.split(':').slice(0, 3).join(':')}::/48`
  const octets = /^(\d+\.\d+\.\d+)\.\d+$/.exec(narrow)?.[1]
  return octets ? `${octets}.0/24` : narrow
}
