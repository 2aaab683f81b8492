/** The colors `tokens.css` is built from. Communities that use them need no color overrides. */
const DEFAULT_COLORS = { primary_color: '#256150', secondary_color: '#64748b' } as const

export type CustomColors = Readonly<Record<keyof typeof DEFAULT_COLORS, string>>

export const isDefaultColor = (chosen: CustomColors, name: keyof CustomColors): boolean =>
  chosen[name].toLowerCase() === DEFAULT_COLORS[name]
