import type { Answers } from '@lyceum/sdk'
import { BASE_PATH } from './base-path.ts'
import { contrast, mix, readableOn, textOn } from './colors.ts'
import { type CustomColors as Colors, isDefaultColor } from './default-colors.ts'

type Community = Answers['settings']['public']['data']
type CustomColors = Colors & Pick<Community, 'favicon_url'>

/** The backgrounds of `tokens.css`. A custom primary color must be readable on the same ones. */
const LIGHT = { card: '#ffffff', page: '#eeece7', share: 0.88 } as const
const DARK = { card: '#1d2026', page: '#262a32', share: 0.82 } as const

/** A color as text and as a background in one theme, adjusted until it is readable. */
const shades = (color: string, { card, page, share }: typeof LIGHT | typeof DARK) => {
  const soft = mix(color, card, share)
  const hardest = contrast(color, soft) < contrast(color, page) ? soft : page
  const accent = readableOn(color, hardest)
  return { accent, soft, ink: textOn(accent) }
}

const ENDS = [
  ['', 'accent'],
  ['-soft', 'soft'],
  ['-ink', 'ink'],
] as const

const setColor = (name: string, light: string, dark: string) =>
  document.documentElement.style.setProperty(name, `light-dark(${light}, ${dark})`)

let sheet: CSSStyleSheet | null = null
const applyCss = (css: string) => {
  if (!sheet && css) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets.push(sheet)
  }
  sheet?.replaceSync(css)
}

/** CSS variables of the primary and secondary color. */
const COLORS = { primary_color: '--accent', secondary_color: '--second' } as const

const applyColors = (chosen: Colors) => {
  for (const [name, variable] of Object.entries(COLORS) as [keyof Colors, string][]) {
    const [light, dark] = [shades(chosen[name], LIGHT), shades(chosen[name], DARK)]
    for (const [end, part] of ENDS) {
      if (isDefaultColor(chosen, name)) document.documentElement.style.removeProperty(variable + end)
      else setColor(variable + end, light[part], dark[part])
    }
  }
}

/** Applies the community's colors, favicon and custom CSS. */
export const applyBranding = (chosen: CustomColors, css: string): void => {
  const { favicon_url } = chosen
  applyColors(chosen)
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon) {
    icon.type = favicon_url ? '' : 'image/svg+xml'
    icon.href = favicon_url || `${BASE_PATH}/icon.svg`
  }
  applyCss(css)
}
