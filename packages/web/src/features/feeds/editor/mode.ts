import { useState } from 'react'

const MODE = 'composer-markdown'

/** Whether Markdown is written as it is, which this device remembers. @param must whether a text cannot be written otherwise */
export const useMarkdownMode = (must: boolean) => {
  const [inMarkdown, setInMarkdown] = useState(() => must || localStorage.getItem(MODE) === 'yes')
  const switchMode = () => {
    localStorage.setItem(MODE, inMarkdown ? 'no' : 'yes')
    setInMarkdown(!inMarkdown)
  }
  return { inMarkdown, setInMarkdown, switchMode }
}
