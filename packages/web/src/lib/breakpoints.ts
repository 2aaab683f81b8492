import { useSyncExternalStore } from 'react'

/** The breakpoints for one and for two sidebars, the same as in the style sheets. */
const WIDE = matchMedia('(width >= 52rem)')
const VERY_WIDE = matchMedia('(width >= 75rem)')

const watching = (width: MediaQueryList) => (listener: () => void) => {
  width.addEventListener('change', listener)
  return () => width.removeEventListener('change', listener)
}
const [watchWide, watchVeryWide] = [watching(WIDE), watching(VERY_WIDE)]

export const useIsWide = (): boolean => useSyncExternalStore(watchWide, () => WIDE.matches)
export const useIsExtraWide = (): boolean => useSyncExternalStore(watchVeryWide, () => VERY_WIDE.matches)
