import type { Config } from '../../config.ts'

type Hosts = Pick<Config, 'mediaHosts' | 'gifApiUrl'>

/** Host of the images of the GIF provider, derived from that of its API. */
const gifHosts = (url: string): string[] => {
  if (!URL.canParse(url)) return []
  const { hostname, host } = new URL(url)
  const parent = /^(?:api|gifs?|www)\d*\.(.+\..+)$/.exec(hostname)?.[1]
  return [parent ? `*.${parent}` : host]
}

/** Hosts from which pages may load images directly; `*.` stands for any subdomain. */
export const pictureHosts = ({ mediaHosts, gifApiUrl }: Hosts): string[] => [...new Set([...mediaHosts, ...gifHosts(gifApiUrl)])]

/** Whether pages may load an image from this URL directly. */
export const isPictureHost = (config: Hosts, { host, protocol }: URL): boolean =>
  protocol === 'https:' && pictureHosts(config).some((known) => (known.startsWith('*.') ? host.endsWith(known.slice(1)) : host === known))
