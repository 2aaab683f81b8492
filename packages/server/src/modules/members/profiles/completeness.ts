const FIELDS = ['first_name', 'last_name', 'short_description', 'location', 'website', 'avatar', 'cover_photo'] as const

export type Fillable = Readonly<Record<(typeof FIELDS)[number], string>> & { readonly social_links: string }

/** Completeness of a profile in percent. All social links together count as one field. */
export const completeness = (profile: Fillable): number => {
  const links = Object.values(JSON.parse(profile.social_links) as Record<string, string>)
  const filled = [...FIELDS.map((name) => profile[name]), links.join('')].filter((text) => text.trim() !== '')
  return Math.round((filled.length / (FIELDS.length + 1)) * 100)
}
