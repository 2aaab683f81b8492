import { Code } from '@tiptap/extension-code'
import { Image } from '@tiptap/extension-image'

/** Inline code that can also be bold or a link, as in Markdown. */
export const CodeInLinks = Code.extend({ excludes: '' })

/** An inline image, as in Markdown. */
export const InlinePicture = Image.configure({ inline: true })
