export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'theme'

const isTheme = (value: unknown): value is Theme => THEMES.some((theme) => theme === value)

export const storedTheme = (): Theme => {
  const value = localStorage.getItem(KEY)
  return isTheme(value) ? value : 'system'
}

/** Applies the theme and stores it on this device. */
export const showTheme = (theme: Theme): void => {
  localStorage.setItem(KEY, theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
