type Rgb = readonly [number, number, number]

/** Minimum contrast ratio of text (WCAG AA). */
export const MIN_CONTRAST = 4.5
const STEPS = 20

const parse = (color: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb
const print = (color: Rgb) => `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const linear = (part: number) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)
const luminance = (color: string) => {
  const [red, green, blue] = parse(color)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Contrast ratio of two colors (#rrggbb), from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Mixes `share` (0 to 1) of another color into a color. */
export const mix = (color: string, other: string, share: number): string => {
  const [from, to] = [parse(color), parse(other)]
  return print([0, 1, 2].map((at) => from[at]! + (to[at]! - from[at]!) * share) as unknown as Rgb)
}

/** Text color on a background: white or black. */
export const textOn = (behind: string): string => (contrast('#ffffff', behind) >= MIN_CONTRAST ? '#ffffff' : '#000000')

/** Moves a color towards white or black just far enough to be readable on another. */
export const readableOn = (color: string, behind: string): string => {
  const away = textOn(behind)
  for (let step = 0; step < STEPS; step++) {
    const shade = mix(color, away, step / STEPS)
    if (contrast(shade, behind) >= MIN_CONTRAST) return shade
  }
  return away
}
