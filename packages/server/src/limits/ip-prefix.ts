/** Longer is no address. */
const LONGEST = 45
const IPV6 = /^[0-9a-f]*:[0-9a-f:.]*$/i

/** The eight groups of an IPv6 address; those that `::` and an IPv4 end stand for are filled in. */
const groupsOf = (address: string): string[] => {
  const [head = '', tail] = address.split('::')
  const split = (part: string) => (part ? part.split(':').flatMap((group) => (group.includes('.') ? ['v4', group] : [group])) : [])
  const [front, back] = [split(head), split(tail ?? '')]
  return tail === undefined ? front : [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back]
}

/**
 * What counts as one address where requests are counted: of IPv6 the network of 64 bits, since whoever has one address there has all of
 * them; of an IPv4 address that is written as IPv6 the IPv4 address. What is no address (a proxy may hand on anything) is cut.
 */
export const networkOf = (ip: string): string => {
  const address = ip.slice(0, LONGEST).toLowerCase().replace(/%.*$/s, '')
  if (!IPV6.test(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (mapped) return mapped
  const network = groupsOf(address).slice(0, 4)
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

/** The wider network of an address, which usually has one owner: /24 of IPv4, /48 of IPv6. */
export const wideNetworkOf = (ip: string): string => {
  const narrow = networkOf(ip)
  if (narrow.endsWith('::/64')) return `${narrow.split(':').slice(0, 3).join(':')}::/48`
  const octets = /^(\d+\.\d+\.\d+)\.\d+$/.exec(narrow)?.[1]
  return octets ? `${octets}.0/24` : narrow
}
