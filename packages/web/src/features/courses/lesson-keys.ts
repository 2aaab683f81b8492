import { useEffect } from 'react'

/** Places where a key is a letter, or does something already. */
const WRITING = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]'

/** Arrow keys together with Shift lead to the lessons before and after; alone, and where one writes, they do what they always do. */
export const useLessonKeys = (back: () => void, on: () => void): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(WRITING)) return
      const rtl = document.documentElement.dir === 'rtl'
      if (event.key === (rtl ? 'ArrowRight' : 'ArrowLeft')) back()
      else if (event.key === (rtl ? 'ArrowLeft' : 'ArrowRight')) on()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [back, on])
}
