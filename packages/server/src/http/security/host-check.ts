import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { ApiError } from '../../core/errors.ts'

/** Host name without port, in lower case. */
const nameOf = (host: string): string =>
  host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()

/** IP addresses, and names that public DNS cannot resolve: no attacker can point a domain at the server with these. */
const isLocal = (name: string) => isIP(name) > 0 || !name.includes('.') || name.endsWith('.localhost')

/** Health checks reach the server under other names. */
const PROBES = /^\/health\//

/**
 * Refuses requests for another host than that of LYCEUM_URL. Otherwise, pages of a foreign domain that resolves to this server would have the same origin as its API.
 * Behind a trusted proxy, X-Forwarded-Host counts, as Fastify reads it.
 * @throws misdirected_request
 */
export const createHostCheck = ({ url, hosts }: Pick<Config, 'url' | 'hosts'>) => {
  if (!url) return null
  const known = new Set([nameOf(new URL(url).host), ...hosts.map(nameOf)])
  return (request: FastifyRequest): void => {
    const name = nameOf(request.host ?? '')
    if (known.has(name) || isLocal(name) || PROBES.test(request.url)) return
    throw new ApiError('misdirected_request')
  }
}
