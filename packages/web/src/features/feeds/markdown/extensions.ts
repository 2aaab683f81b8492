import { Code } from '@tiptap/extension-code'
import { Image } from '@tiptap/extension-image'
import { Selection } from '@tiptap/pm/state'
import { Extension } from '@tiptap/react'

/** Inline code that can also be bold or a link, as in Markdown. */
export const CodeInLinks = Code.extend({ excludes: '' })

/** An inline image, as in Markdown. */
export const InlinePicture = Image.configure({ inline: true })

/** Focuses at once. Tiptap's own command waits for the next frame, and keys pressed meanwhile would be lost. */
export const SynchronousFocus = Extension.create({
  name: 'synchronousFocus',
  addCommands: () => ({
    focus:
      (position = null) =>
      ({ tr, view, dispatch }) => {
        if (!dispatch) return true
        if (position === 'end') tr.setSelection(Selection.atEnd(tr.doc))
        view.focus()
        return true
      },
  }),
})
