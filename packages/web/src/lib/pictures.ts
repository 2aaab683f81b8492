import { BASE_PATH } from './base-path.ts'

/** The server proxies images of other sites, so that these sites do not see the viewers' IP addresses. */
const REMOTE = `${BASE_PATH}/media/remote?url=`

/** Origin of the page; empty outside of a browser, such as in unit tests. */
const here = () => (globalThis as { readonly location?: { readonly origin: string } }).location?.origin

/** Whether a URL points to another site, as a browser resolves it (`//host` does). */
const isRemote = (address: string): boolean => {
  const url = URL.parse(address, here())
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== here()
}

/** The URL to load an image from: proxied if it is on another site. */
export const pictureUrl = <T extends string | null | undefined>(address: T): T =>
  (address && isRemote(address) ? `${REMOTE}${encodeURIComponent(address)}` : address) as T

/** `preload` of a video: nothing is loaded from another site before playback. */
export const preloadOf = (address: string): 'none' | 'metadata' => (isRemote(address) ? 'none' : 'metadata')

const unescaped = (text: string) =>
  text.replace(/&(amp|quot|lt|gt);/g, (_all, name: string) => ({ amp: '&', quot: '"', lt: '<', gt: '>' })[name] ?? '')

/**
 * Adds the base path to paths in rendered HTML, rewrites the image URLs to the proxy and makes images lazy. The server writes tags in one fixed form, and encoded URLs
 * need no escaping.
 */
export const withPictures = (html: string): string =>
  html
    .replaceAll(/<(?:a (?:class="mention" )?href|img src)="(?=\/(?!\/))/g, `$&${BASE_PATH}`)
    .replace(/(<img [^<>]*?\bsrc=")(https?:\/\/[^"]*)"/gi, (_all, before: string, address: string) => {
      const shown = pictureUrl(unescaped(address))
      return `${before}${shown.startsWith(REMOTE) ? shown : address}"`
    })
    .replaceAll('<img src="', '<img loading="lazy" src="')
