interface Site {
  /** Key of `social_links`. */
  readonly key: string
  /** Names of profile fields for this site. */
  readonly names: RegExp
  /** Profile URL for a handle; absent if a handle does not determine the URL. */
  readonly address?: (handle: string) => string
}

const at = (prefix: string) => (handle: string) => `https://${prefix}${handle}`

const SITES: readonly Site[] = [
  { key: 'twitter', names: /^(?:twitter|x|x twitter|twitter x)$/, address: at('twitter.com/') },
  { key: 'youtube', names: /^you ?tube$/ },
  { key: 'linkedin', names: /^linked ?in$/, address: at('www.linkedin.com/in/') },
  { key: 'fb', names: /^(?:facebook|fb)$/, address: at('www.facebook.com/') },
  { key: 'instagram', names: /^(?:instagram|insta)$/, address: at('www.instagram.com/') },
  { key: 'blue_sky', names: /^blue ?sky$/, address: at('bsky.app/profile/') },
  { key: 'tiktok', names: /^tik ?tok$/, address: at('www.tiktok.com/@') },
  { key: 'pinterest', names: /^pinterest$/, address: at('www.pinterest.com/') },
  { key: 'telegram', names: /^telegram$/, address: at('t.me/') },
  { key: 'snapchat', names: /^snap ?chat$/, address: at('www.snapchat.com/add/') },
  { key: 'reddit', names: /^reddit$/, address: at('www.reddit.com/user/') },
  { key: 'twitch', names: /^twitch$/, address: at('www.twitch.tv/') },
  { key: 'vk', names: /^(?:vk|vkontakte)$/, address: at('vk.com/') },
  { key: 'github', names: /^git ?hub$/, address: at('github.com/') },
  { key: 'mastodon', names: /^(?:mastodon|fediverse)$/ },
]

/** Words to ignore in field names: `Facebook URL` and `My Facebook profile` mean the same site. */
const FILLER = /\b(?:my|your|url|link|profile|page|account|handle|username|user name|name|id|on)\b/g

const plain = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(FILLER, ' ')
    .replace(/\s+/g, ' ')
    .trim()

export const siteNamed = (name: string): string | undefined => SITES.find(({ names }) => names.test(plain(name)))?.key

/** Parses an http(s) URL, adding a missing scheme; null for other text. */
export const webAddress = (value: string): string | null => {
  const text = value.trim()
  if (text === '' || /\s/.test(text) || text.length > 2048) return null
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[\w.-]+:\d/.test(text) ? text : `https://${text.replace(/^\/\//, '')}`
  if (!URL.canParse(address)) return null
  const { protocol, hostname } = new URL(address)
  return (protocol === 'http:' || protocol === 'https:') && hostname.includes('.') ? address : null
}

const DOMAIN = /^www\.|\.(?:com|net|org|me|tv|io|app|co)$/i

/** The profile URL on a site from a URL or a handle; null if the value is neither. */
export const socialAddress = (key: string, value: string): string | null => {
  const handle = /^@?([\p{L}\p{N}_.-]{1,100})$/u.exec(value.trim())?.[1]
  const site = SITES.find((known) => known.key === key)
  const isHandle = handle !== undefined && (value.trim().startsWith('@') || key === 'blue_sky' || !DOMAIN.test(handle))
  if (isHandle && site?.address) return site.address(encodeURIComponent(handle))
  const [, user, server] = /^@?([\w.-]+)@([\w.-]+\.[a-z]{2,})$/i.exec(value.trim()) ?? []
  if (key === 'mastodon' && user && server) return `https://${server}/@${user}`
  return webAddress(value)
}
