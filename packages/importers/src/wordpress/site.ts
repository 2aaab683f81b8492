import { type Zone, zoneOf } from '../site-time.ts'
import type { Staging } from '../staging/staging.ts'
import { type Meta, readMeta } from './meta.ts'

export interface Site {
  /** URL of the site without a trailing slash; empty if unknown. */
  readonly address: string
  /** URL of the WordPress installation, which contains the uploads. */
  readonly core: string
  /** Origins that texts may use for the site: with and without TLS and `www.`. */
  readonly origins: readonly string[]
  readonly basePath: string
  readonly zone: Zone
  readonly option: (name: string) => string | null
  readonly metaOption: (name: string) => Meta
}

const urlOf = (text: string | null): URL | null => {
  try {
    return text && /^https?:/i.test(text.trim()) ? new URL(text.trim()) : null
  } catch {
    return null
  }
}

const addressOf = (url: URL): string => url.href.replace(/[?#].*$/s, '').replace(/\/+$/, '')

/** Origins that usually serve the same site. */
export const originsLike = (url: URL): string[] => {
  const bare = url.host.replace(/^www\./, '')
  const numeric = /^[\d.:[\]]+$|^localhost/.test(bare)
  const hosts = numeric ? [url.host] : [...new Set([url.host, bare, `www.${bare}`])]
  const other = url.protocol === 'https:' ? 'http:' : 'https:'
  return [url.protocol, other].flatMap((protocol) => hosts.map((host) => `${protocol}//${host}`))
}

/** Reads the options of a WordPress site. Define its tables first. */
export const readSite = (staging: Staging): Site => {
  const option = (name: string) =>
    staging.get<{ option_value: string | null }>('select option_value from options where option_name = ?', name)?.option_value ?? null
  // `home` is the base of pages; `siteurl` is the WordPress installation with its uploads.
  const home = urlOf(option('home')) ?? urlOf(option('siteurl'))
  const core = urlOf(option('siteurl'))
  return {
    address: home ? addressOf(home) : '',
    core: core ? addressOf(core) : home ? addressOf(home) : '',
    origins: [...new Set([home, core].flatMap((url) => (url ? originsLike(url) : [])))],
    basePath: home ? home.pathname.replace(/\/+$/, '') : '',
    zone: zoneOf(option('timezone_string'), option('gmt_offset')),
    option,
    metaOption: (name) => readMeta(option(name)),
  }
}
