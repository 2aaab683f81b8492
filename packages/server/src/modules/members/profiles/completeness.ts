/** What a member can fill in, beside the name that everybody has. */
const FIELDS = ['first_name', 'last_name', 'short_description', 'location', 'website', 'avatar', 'cover_photo'] as const

export type Fillable = Readonly<Record<(typeof FIELDS)[number], string>> & { readonly social_links: string }

/** How much of a profile is filled in: 0 to 100. Any social link counts as all of them do. */
export const completeness = (profile: Fillable): number => {
  const links = Object.values(JSON.parse(profile.social_links) as Record<string, string>)
  const filled = [...FIELDS.map((name) => profile[name]), links.join('')].filter((text) => text.trim() !== '')
  return Math.round((filled.length / (FIELDS.length + 1)) * 100)
}
