/** A video site with a known embed player. Ids consist of letters and digits. */
interface VideoSite {
  readonly provider: string
  readonly hosts: ReadonlySet<string>
  readonly idOf: (url: URL) => string | undefined
  readonly player: (id: string) => string
}

const VIDEO_SITES: readonly VideoSite[] = [
  {
    provider: 'YouTube',
    hosts: new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'youtu.be', 'www.youtube-nocookie.com']),
    idOf: (url) => {
      const [, first = '', second = ''] = url.pathname.split('/')
      const id =
        url.hostname === 'youtu.be' ? first : ['shorts', 'embed', 'live'].includes(first) ? second : (url.searchParams.get('v') ?? '')
      return /^[A-Za-z0-9_-]{11}$/.exec(id)?.[0]
    },
    player: (id) => `https://www.youtube-nocookie.com/embed/${id}`,
  },
  {
    provider: 'Vimeo',
    hosts: new Set(['vimeo.com', 'www.vimeo.com', 'player.vimeo.com']),
    idOf: (url) => /^\/(?:video\/)?(\d{4,12})(?:\/|$)/.exec(url.pathname)?.[1],
    player: (id) => `https://player.vimeo.com/video/${id}?dnt=1`,
  },
]

/** The embed player of a video. We build the HTML ourselves; HTML from other sites is never passed on. */
export const playerOf = (url: URL): { readonly provider: string; readonly html: string } | null => {
  const site = VIDEO_SITES.find(({ hosts }) => hosts.has(url.hostname))
  const id = site?.idOf(url)
  if (!site || !id || url.protocol !== 'https:') return null
  const html =
    `<iframe src="${site.player(id)}" width="560" height="315" sandbox="allow-scripts allow-same-origin allow-presentation" ` +
    'allow="fullscreen; picture-in-picture" referrerpolicy="strict-origin" loading="lazy"></iframe>'
  return { provider: site.provider, html }
}
