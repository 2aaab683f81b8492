import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { ApiError } from '../../core/errors.ts'

/** Host name without its port, lower-case. */
const nameOf = (host: string): string =>
  host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()

/** Addresses, and names that no public name server can give out: nobody can point a domain of their own at the server with them. */
const isLocal = (name: string) => isIP(name) > 0 || !name.includes('.') || name.endsWith('.localhost')

/** Health checks reach the server under names of their own. */
const PROBES = /^\/health\//

/**
 * Refuses requests for a host that is not this site, where LYCEUM_URL says which it is: a domain that is made to lead here would make browsers
 * take its pages for ours. Behind a trusted proxy X-Forwarded-Host counts, as Fastify reads it.
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
