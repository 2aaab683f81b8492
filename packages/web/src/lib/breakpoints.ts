import { useSyncExternalStore } from 'react'

/** The only widths, in rem, at which layouts change: a unit test compares the style sheets with this list. */
export const BREAKPOINTS = { narrow: 30, medium: 40, wide: 52, extraWide: 68 } as const

const mediaHook = (rem: number) => {
  let media: MediaQueryList | undefined
  const query = () => {
    media ??= matchMedia(`(width >= ${rem}rem)`)
    return media
  }
  const subscribe = (listener: () => void) => {
    query().addEventListener('change', listener)
    return () => query().removeEventListener('change', listener)
  }
  return (): boolean => useSyncExternalStore(subscribe, () => query().matches)
}

/** Whether there is room for the side navigation. */
export const useIsWide = mediaHook(BREAKPOINTS.wide)
/** Whether there is room for a sidebar on both sides of the page. */
export const useIsExtraWide = mediaHook(BREAKPOINTS.extraWide)
