import type { Config } from '../../config.ts'

type Hosts = Pick<Config, 'mediaHosts' | 'gifApiUrl'>

/** Where the GIF provider has its pictures: beside its API. */
const gifHosts = (url: string): string[] => {
  if (!URL.canParse(url)) return []
  const { hostname, host } = new URL(url)
  const parent = /^(?:api|gifs?|www)\d*\.(.+\..+)$/.exec(hostname)?.[1]
  return [parent ? `*.${parent}` : host]
}

/** Hosts that pages may load pictures from directly, `*.` standing for every subdomain. */
export const pictureHosts = ({ mediaHosts, gifApiUrl }: Hosts): string[] => [...new Set([...mediaHosts, ...gifHosts(gifApiUrl)])]

/** Whether pages may load a picture from there directly. */
export const isPictureHost = (config: Hosts, { host, protocol }: URL): boolean =>
  protocol === 'https:' && pictureHosts(config).some((known) => (known.startsWith('*.') ? host.endsWith(known.slice(1)) : host === known))
