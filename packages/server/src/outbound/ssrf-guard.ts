import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { lazyRequire } from '../util/lazy.ts'
import { OutboundError } from './error.ts'
import { addressMatcher, isPublicAddress } from './ip-ranges.ts'

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true })

const PUBLIC_PORTS = new Set(['80', '443'])

/** Allowed addresses: those in the ranges of the operator, and public ones over https. */
export const reachRule = (allow: readonly string[]) => {
  const allowed = addressMatcher(allow)
  return (address: string, protocol: string, port: string): boolean =>
    allowed(address) || (protocol === 'https:' && PUBLIC_PORTS.has(port || '443') && isPublicAddress(address))
}

export interface ConnectorOptions {
  /** CIDR ranges that are allowed although they are not public, also over plain http and on any port. */
  readonly allow: readonly string[]
  readonly resolve?: Resolve | undefined
  /** Certificate authorities to trust in addition to the default ones. */
  readonly ca?: string | undefined
}

const undici = lazyRequire<typeof import('undici')>('undici')

/**
 * Connects only to allowed addresses. The check applies to the addresses that the socket is about to use, so neither an unusual notation
 * nor DNS rebinding bypasses it. One forbidden address makes the host name forbidden.
 */
export const createConnector = ({ allow, resolve = systemResolve, ca }: ConnectorOptions): buildConnector.connector => {
  const mayReach = reachRule(allow)
  const refused = () => new OutboundError('refused', 'That address may not be reached.')

  const lookupFor =
    (protocol: string, port: string): LookupFunction =>
    (hostname, options, callback) => {
      resolve(hostname).then(
        (found) => {
          if (found.length === 0) return callback(new OutboundError('unreachable', 'The name has no address.'), '', 4)
          if (!found.every(({ address }) => mayReach(address, protocol, port))) return callback(refused(), '', 4)
          const [first] = found
          if (options.all) return callback(null, [...found])
          callback(null, first!.address, first!.family)
        },
        (error: Error) => callback(error, '', 4),
      )
    }

  return (options, callback) => {
    const { hostname, protocol, port } = options
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !mayReach(host, protocol, port)) return callback(refused(), null)
    const connect = undici().buildConnector({ timeout: 10_000, lookup: lookupFor(protocol, port), ...(ca && { ca }), allowH2: false })
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null)
      if (socket.remoteAddress && mayReach(socket.remoteAddress, protocol, port)) return callback(null, socket)
      socket.destroy()
      callback(refused(), null)
    })
  }
}
