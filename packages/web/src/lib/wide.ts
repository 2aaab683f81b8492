import { useSyncExternalStore } from 'react'

/** As the style sheets have it. */
const WIDE = matchMedia('(width >= 52rem)')

const watch = (listener: () => void) => {
  WIDE.addEventListener('change', listener)
  return () => WIDE.removeEventListener('change', listener)
}

/** Whether there is room for something beside the page. */
export const useWide = (): boolean => useSyncExternalStore(watch, () => WIDE.matches)
