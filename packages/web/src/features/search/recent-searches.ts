const MOST = 8

const keyOf = (userId: number) => `searches:${userId}`

/** The user's recent searches on this device, newest first. */
export const recentSearches = (userId: number): readonly string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((text): text is string => typeof text === 'string') : []
  } catch {
    return []
  }
}

export const rememberSearch = (userId: number, text: string): void => {
  const others = recentSearches(userId).filter((other) => other !== text)
  localStorage.setItem(keyOf(userId), JSON.stringify([text, ...others].slice(0, MOST)))
}

export const clearRecentSearches = (userId: number): void => localStorage.removeItem(keyOf(userId))
