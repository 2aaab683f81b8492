/** Where the server fetches pictures of other sites, so that those sites do not see who reads here. */
const REMOTE = '/media/remote?url='

/** Where this page comes from; programs that only check this file know no page. */
const here = () => (globalThis as { readonly location?: { readonly origin: string } }).location?.origin

/** As a browser reads it: `//host` is another site, too. */
const isRemote = (address: string): boolean => {
  const url = URL.parse(address, here())
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== here()
}

/** The address under which a picture is shown. */
export const pictureUrl = <T extends string | null | undefined>(address: T): T =>
  (address && isRemote(address) ? `${REMOTE}${encodeURIComponent(address)}` : address) as T

/** What a film may load before somebody plays it: nothing of another site. */
export const preloadOf = (address: string): 'none' | 'metadata' => (isRemote(address) ? 'none' : 'metadata')

const unescaped = (text: string) =>
  text.replace(/&(amp|quot|lt|gt);/g, (_all, name: string) => ({ amp: '&', quot: '"', lt: '<', gt: '>' })[name] ?? '')

/**
 * Rendered HTML with the addresses of its pictures, which are loaded once they come into sight. The server writes tags in one spelling; encoded
 * addresses need no escaping.
 */
export const withPictures = (html: string): string =>
  html
    .replace(/(<img [^<>]*?\bsrc=")(https?:\/\/[^"]*)"/gi, (_all, before: string, address: string) => {
      const shown = pictureUrl(unescaped(address))
      return `${before}${shown.startsWith(REMOTE) ? shown : address}"`
    })
    .replaceAll('<img src="', '<img loading="lazy" src="')
