import { useState } from 'react'

const MODE = 'composer-markdown'

/** Whether to edit as Markdown, stored on this device. @param must whether the text can only be edited as Markdown */
export const useMarkdownMode = (must: boolean) => {
  const [inMarkdown, setInMarkdown] = useState(() => must || localStorage.getItem(MODE) === 'yes')
  const switchMode = () => {
    localStorage.setItem(MODE, inMarkdown ? 'no' : 'yes')
    setInMarkdown(!inMarkdown)
  }
  return { inMarkdown, setInMarkdown, switchMode }
}
