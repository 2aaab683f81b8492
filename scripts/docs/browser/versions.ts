interface Versions {
  readonly latest: string
  /** The newest first. */
  readonly versions: readonly string[]
}

const { base = './', page = 'index.html', version: own = '' } = document.documentElement.dataset

const exists = async (url: string): Promise<boolean> => {
  const response = await fetch(url, { method: 'HEAD' }).catch(() => null)
  return response?.ok ?? false
}

const folderOf = (version: string, latest: string): string => `${base}../${version === latest ? 'latest' : version}/`

/** Fills the menu of versions. Older pages list newer versions too, because the list is outside of the versions. */
export const startVersions = async (): Promise<void> => {
  const menu = document.querySelector<HTMLSelectElement>('select.versions')
  const response = await fetch(`${base}../versions.json`).catch(() => null)
  if (!menu || !response?.ok) return
  const { latest, versions } = (await response.json()) as Versions
  menu.replaceChildren(...versions.map((version) => new Option(version)))
  menu.value = own
  menu.disabled = false
  menu.addEventListener('change', async () => {
    const folder = folderOf(menu.value, latest)
    location.href = (await exists(folder + page)) ? folder + page : `${folder}index.html`
  })
  const notice = document.querySelector<HTMLElement>('.outdated')
  if (!notice || own === latest) return
  const link = Object.assign(document.createElement('a'), { href: `${folderOf(latest, latest)}index.html`, textContent: latest })
  notice.append(`This page describes version ${own}. The latest version is `, link, '.')
  notice.hidden = false
}
