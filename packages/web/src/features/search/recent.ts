const KEY = 'searches'
const MOST = 8

/** What was searched for lately on this device, the last first. */
export const recentSearches = (): readonly string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((text): text is string => typeof text === 'string') : []
  } catch {
    return []
  }
}

export const rememberSearch = (text: string): void => {
  const others = recentSearches().filter((other) => other !== text)
  localStorage.setItem(KEY, JSON.stringify([text, ...others].slice(0, MOST)))
}

export const forgetSearches = (): void => localStorage.removeItem(KEY)
