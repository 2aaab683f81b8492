import { useSyncExternalStore } from 'react'

/** Room for a third column; the same as in the style sheets. */
const WIDE = matchMedia('(width >= 75rem)')

const onWidth = (listener: () => void) => {
  WIDE.addEventListener('change', listener)
  return () => WIDE.removeEventListener('change', listener)
}

/** Whether the screen has room for more than the page itself. */
export const useWide = (): boolean => useSyncExternalStore(onWidth, () => WIDE.matches)
