import type { Answers } from '@lyceum/sdk'
import { contrast, mix, readableOn, textOn } from './colours.ts'
import { type CustomColours as Colours, isOwn } from './default-colours.ts'

type Community = Answers['settings']['public']['data']
type CustomColours = Colours & Pick<Community, 'favicon_url'>

/** The backgrounds of `tokens.css`. A custom primary color must be readable on the same ones. */
const LIGHT = { card: '#ffffff', page: '#eeece7', share: 0.88 } as const
const DARK = { card: '#1d2026', page: '#262a32', share: 0.82 } as const

/** A color as text and as a background in one theme, adjusted until it is readable. */
const shades = (colour: string, { card, page, share }: typeof LIGHT | typeof DARK) => {
  const soft = mix(colour, card, share)
  const hardest = contrast(colour, soft) < contrast(colour, page) ? soft : page
  const accent = readableOn(colour, hardest)
  return { accent, soft, ink: textOn(accent) }
}

const ENDS = [
  ['', 'accent'],
  ['-soft', 'soft'],
  ['-ink', 'ink'],
] as const

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

/** CSS variables of the primary and secondary color. */
const COLOURS = { primary_color: '--accent', secondary_color: '--second' } as const

const colourAll = (chosen: Colours) => {
  for (const [name, variable] of Object.entries(COLOURS) as [keyof Colours, string][]) {
    const [light, dark] = [shades(chosen[name], LIGHT), shades(chosen[name], DARK)]
    for (const [end, part] of ENDS) {
      if (isOwn(chosen, name)) document.documentElement.style.removeProperty(variable + end)
      else colour(variable + end, light[part], dark[part])
    }
  }
}

/** Applies the community's colors, favicon and custom CSS. */
export const applyBranding = (chosen: CustomColours, css: string): void => {
  const { favicon_url } = chosen
  colourAll(chosen)
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon) {
    icon.type = favicon_url ? '' : 'image/svg+xml'
    icon.href = favicon_url || '/icon.svg'
  }
  dress(css)
}
