import { contrast, mix, readable, textOn } from './colors.ts'

/** Colors derived from the main color of the community. */
export interface Theme {
  readonly button: string
  readonly label: string
  /** Links in text. */
  readonly accent: string
  /** Background of initials. */
  readonly tint: string
  readonly dark: { readonly button: string; readonly label: string; readonly accent: string; readonly tint: string }
}

const CARD = '#ffffff'
const DARK_CARD = '#1f2229'

/** All pairs of text and background colors have a contrast of at least 4.5 for any main color. */
export const themeOf = (color: string): Theme => {
  // A button must be distinguishable from the card behind it.
  const button = contrast(color, CARD) < 1.4 ? readable(color, CARD, 1.4) : color
  const darkButton = readable(color, DARK_CARD, 3)
  return {
    button,
    label: textOn(button),
    accent: readable(color, CARD, 4.5),
    tint: mix(color, CARD, 0.88),
    dark: {
      button: darkButton,
      label: textOn(darkButton),
      accent: readable(color, DARK_CARD, 4.5),
      tint: mix(color, DARK_CARD, 0.75),
    },
  }
}

export const styleSheet = ({ dark }: Theme): string => `
    :root { color-scheme: light dark; supported-color-schemes: light dark; }
    body { -webkit-text-size-adjust: 100%; }
    @media (prefers-color-scheme: dark) {
      .page { background: #14161b !important; }
      .card { background: ${DARK_CARD} !important; border-color: #31353f !important; }
      .ink { color: #f2f3f5 !important; }
      .body { color: #d8dbe2 !important; }
      .soft { color: #a2a8b5 !important; }
      .well { background: #292d36 !important; border-color: ${dark.button} !important; }
      .rule { border-color: #31353f !important; }
      .button { background: ${dark.button} !important; }
      .label { color: ${dark.label} !important; }
      .accent { color: ${dark.accent} !important; }
      .tint { background: ${dark.tint} !important; color: ${readable(dark.accent, dark.tint, 4.5)} !important; }
    }
    @media (max-width: 600px) {
      .around { padding: 24px 12px !important; }
      .card { padding: 28px 20px !important; }
      .foot { padding: 20px 20px 0 !important; }
    }`
