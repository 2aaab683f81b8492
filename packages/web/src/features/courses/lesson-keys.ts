import { useEffect } from 'react'

/** Elements in which the arrow keys already have a function. */
const WRITING = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]'

/** Shift and an arrow key open the previous or next lesson, except in text fields. */
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
