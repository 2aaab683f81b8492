import { type RefObject, useEffect, useRef } from 'react'

/** Makes horizontally scrollable parts of a text (code blocks, wide tables) focusable. `label` is their accessible name. */
export const useScrollables = (html: string, label: string): RefObject<HTMLDivElement | null> => {
  const around = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML has new scrollable parts
  useEffect(() => {
    const text = around.current
    const parts = text && [text, ...text.querySelectorAll('pre')]
    if (!parts || !text.querySelector('pre, table, img')) return
    const mark = () => {
      for (const part of parts) {
        const scrolls = part.scrollWidth > part.clientWidth
        for (const [name, value] of Object.entries({ tabindex: '0', role: 'group', 'aria-label': label }))
          if (scrolls) part.setAttribute(name, value)
          else part.removeAttribute(name)
      }
    }
    const resized = new ResizeObserver(mark)
    for (const part of parts) resized.observe(part)
    return () => resized.disconnect()
  }, [html, label])
  return around
}
