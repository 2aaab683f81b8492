type Rgb = readonly [number, number, number]

const WHITE = '#ffffff'
const INK = '#14171d'

const parse = (color: string): Rgb => {
  const [, r = '00', g = '00', b = '00'] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color) ?? []
  return [Number.parseInt(r, 16), Number.parseInt(g, 16), Number.parseInt(b, 16)]
}

const print = (color: Rgb): string => `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const linear = (part: number) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)

const luminance = (color: string): number => {
  const [r, g, b] = parse(color)
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/** Contrast ratio of two colors by WCAG, from 1 to 21. */
export const contrast = (a: string, b: string): number => {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Mixes `other` into `color`; `share` is its proportion from 0 to 1. */
export const mix = (color: string, other: string, share: number): string => {
  const to = parse(other)
  return print(parse(color).map((part, index) => part + (to[index]! - part) * share) as unknown as Rgb)
}

/** The text color for a background with a contrast of at least 4.5: white, otherwise INK, otherwise black. */
export const textOn = (background: string): string => [WHITE, INK].find((color) => contrast(color, background) >= 4.5) ?? '#000000'

const STEPS = 20

/** The color, moved towards white or black only as far as necessary for a contrast of `least` with the background. */
export const readable = (color: string, background: string, least: number): string => {
  const away = contrast(WHITE, background) > contrast(INK, background) ? WHITE : '#000000'
  for (let step = 0; step < STEPS; step++) {
    const shade = mix(color, away, step / STEPS)
    if (contrast(shade, background) >= least) return shade
  }
  return away
}
