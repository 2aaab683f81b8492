import { useSyncExternalStore } from 'react'
import { BREAKPOINTS } from './breakpoints.ts'

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
