import { contrast, mix, readable, textOn } from './colors.ts'

const CARD = '#ffffff'
const DARK_CARD = '#1f2229'

/** `share` of the background in the tint, which is the background of initials. */
const colorsOn = (card: string, color: string, button: string, share: number) => {
  const accent = readable(color, card, 4.5)
  const tint = mix(color, card, share)
  return { card, button, label: textOn(button), accent, tint, onTint: readable(accent, tint, 4.5) }
}

/**
 * Colors derived from the main color of the community. All pairs of text and background colors have a contrast of at least 4.5 for any main
 * color, and a button is distinguishable from the card behind it.
 */
export const themeOf = (color: string) => ({
  ...colorsOn(CARD, color, contrast(color, CARD) < 1.4 ? readable(color, CARD, 1.4) : color, 0.88),
  dark: colorsOn(DARK_CARD, color, readable(color, DARK_CARD, 3), 0.75),
})
