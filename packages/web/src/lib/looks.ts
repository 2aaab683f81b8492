import type { Answers } from '@lyceum/sdk'
import { contrast, mix, readable, textOn } from './colours.ts'

type Community = Answers['settings']['public']['data']
type Chosen = Pick<Community, 'primary_color' | 'favicon_url'> & { readonly appearance: Pick<Community['appearance'], 'custom_css'> }

/** What the colours of `tokens.css` are made for; another main colour has to be readable on the same. */
const LIGHT = { card: '#ffffff', page: '#eeece7', share: 0.88 } as const
const DARK = { card: '#1d2026', page: '#262a32', share: 0.82 } as const

/** The main colour as text and as an area, in one theme: moved as far as it takes to be read. */
const shades = (colour: string, { card, page, share }: typeof LIGHT | typeof DARK) => {
  const soft = mix(colour, card, share)
  const hardest = contrast(colour, soft) < contrast(colour, page) ? soft : page
  const accent = readable(colour, hardest)
  return { accent, soft, ink: textOn(accent) }
}

const colour = (name: string, light: string, dark: string) =>
  document.documentElement.style.setProperty(name, `light-dark(${light}, ${dark})`)

let sheet: CSSStyleSheet | null = null
const dress = (css: string) => {
  if (!sheet && css) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets.push(sheet)
  }
  sheet?.replaceSync(css)
}

/** Shows the app in the colour of a community, with its icon and its style sheet. */
export const wear = ({ primary_color, favicon_url, appearance: { custom_css } }: Chosen, plain: boolean): void => {
  const [light, dark] = [shades(primary_color, LIGHT), shades(primary_color, DARK)]
  for (const [name, part] of [
    ['--accent', 'accent'],
    ['--accent-soft', 'soft'],
    ['--accent-ink', 'ink'],
  ] as const) {
    if (plain) document.documentElement.style.removeProperty(name)
    else colour(name, light[part], dark[part])
  }
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon) {
    icon.type = favicon_url ? '' : 'image/svg+xml'
    icon.href = favicon_url || '/icon.svg'
  }
  dress(custom_css)
}
