/** The colors `tokens.css` is built from. Communities that use them need no color overrides. */
const OWN = { primary_color: '#256150', secondary_color: '#64748b' } as const

export type CustomColours = Readonly<Record<keyof typeof OWN, string>>

export const isOwn = (chosen: CustomColours, name: keyof CustomColours): boolean => chosen[name].toLowerCase() === OWN[name]
