import { Code } from '@tiptap/extension-code'
import { Image } from '@tiptap/extension-image'

/** Code that may also be bold or a link, as in Markdown. */
export const CodeInLinks = Code.extend({ excludes: '' })

/** A picture stands within a paragraph, as in Markdown. */
export const InlinePicture = Image.configure({ inline: true })
