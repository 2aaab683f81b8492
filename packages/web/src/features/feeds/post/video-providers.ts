export interface EmbeddedVideo {
  readonly site: 'YouTube' | 'Vimeo'
  readonly url: string
  /** Player URL with the provider's privacy options. */
  readonly player: string
}

const YOUTUBE_HOSTS = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'youtu.be', 'www.youtube-nocookie.com'])
const VIMEO_HOSTS = new Set(['vimeo.com', 'www.vimeo.com', 'player.vimeo.com'])
const MOST = 3

const youtube = ({ hostname, pathname, searchParams }: URL): string | undefined => {
  const named =
    hostname === 'youtu.be' ? pathname.slice(1) : (searchParams.get('v') ?? pathname.match(/^\/(?:shorts|embed|live)\/([\w-]+)/)?.[1])
  return named?.match(/^[\w-]{6,20}$/)?.[0]
}

/** The video of a URL, if its provider is known. */
export const videoAt = (address: string): EmbeddedVideo | null => {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (YOUTUBE_HOSTS.has(url.hostname)) {
    const id = youtube(url)
    return id ? { site: 'YouTube', url: address, player: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1` } : null
  }
  const id = VIMEO_HOSTS.has(url.hostname) && url.pathname.match(/^\/(?:video\/)?(\d+)/)?.[1]
  return id ? { site: 'Vimeo', url: address, player: `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1` } : null
}

/** Known videos that a rendered text links to. */
export const videosIn = (html: string): readonly EmbeddedVideo[] => {
  if (!/youtu|vimeo/.test(html)) return []
  const links = new DOMParser().parseFromString(html, 'text/html').querySelectorAll('a[href]')
  const films = [...links].flatMap((link) => videoAt(link.getAttribute('href') ?? '') ?? [])
  return [...new Map(films.map((film) => [film.player, film])).values()].slice(0, MOST)
}
