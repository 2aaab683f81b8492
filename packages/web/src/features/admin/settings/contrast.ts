/** What text needs against what is behind it. */
export const ENOUGH = 4.5

const channel = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const luminance = (colour: string) => {
  const [red, green, blue] = [1, 3, 5].map((at) => channel(Number.parseInt(colour.slice(at, at + 2), 16) / 255)) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How well two colours (#rrggbb) stand out from each other: 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}
