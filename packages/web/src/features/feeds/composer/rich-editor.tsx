import { Placeholder } from '@tiptap/extension-placeholder'
import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { mediaFilesOf } from '../editor/attachments.ts'
import { type Topics, useAutocomplete } from '../editor/autocomplete.tsx'
import { type PartialName, partialNameAt } from '../editor/autocomplete-match.tsx'
import type { TextInsertion } from '../editor/text-box.tsx'
import { CodeInLinks, InlinePicture, SynchronousFocus } from '../markdown/extensions.ts'
import { parseMarkdown } from '../markdown/parse.ts'
import { simplifyPasted } from '../markdown/pasted.ts'
import { plainToDocument } from '../markdown/plain.ts'
import { serializeMarkdown } from '../markdown/serialize.ts'
import style from './rich-editor.module.css'
import { RichTextToolbar } from './rich-text-toolbar.tsx'

interface Props {
  readonly ref?: Ref<TextInsertion>
  readonly label: string
  readonly value: string
  /** Plain text to continue instead of `value`, with the white space at its end, which Markdown does not keep. */
  readonly typed?: string | undefined
  readonly onChange: (markdown: string) => void
  readonly onFiles: (files: readonly File[]) => void
  readonly onSend: () => void
  readonly topics?: Topics
  /** Whether single line breaks in `value` are kept. */
  readonly breaks?: boolean
  /** Whether to focus the editor when it is ready. */
  readonly focuses?: boolean
  /** A smaller editor with fewer tools, for short texts. */
  readonly compact?: boolean
}

/** Maximum text length before the caret that autocomplete inspects. */
const LOOKED_AT = 60

const begunAt = ({ state: { selection } }: Editor): PartialName | null => {
  const { $from, empty } = selection
  if (!empty || $from.parent.type.spec.code) return null
  const start = Math.max(0, $from.parentOffset - LOOKED_AT)
  return partialNameAt($from.parent.textBetween(start, $from.parentOffset, undefined, ' '), $from.start() + start)
}

/** A rich text editor whose value is Markdown. */
export const RichEditor = ({
  ref,
  label,
  value,
  typed = '',
  onChange,
  onFiles,
  onSend,
  topics,
  breaks = false,
  focuses = true,
  compact = false,
}: Props) => {
  const [begun, setBegun] = useState<PartialName | null>(null)
  const take = (event: Event, data: DataTransfer | null): boolean => {
    const files = mediaFilesOf(data)
    if (files.length === 0) return false
    event.preventDefault()
    onFiles(files)
    return true
  }
  const [initial] = useState(() => {
    const content = typed ? plainToDocument(typed) : parseMarkdown(value, { breaks })
    return { value, content, markdown: serializeMarkdown(content) }
  })
  /** An unchanged text keeps its original source. */
  const tell = (current: Editor) => {
    const markdown = serializeMarkdown(current.getJSON())
    onChange(markdown === initial.markdown ? initial.value : markdown)
  }
  const latest = useRef({ take, tell, onSend, onKey: (_event: KeyboardEvent): boolean => false })
  const editor = useEditor({
    extensions: [
      StarterKit.configure({ code: false, heading: { levels: [2, 3] }, underline: false, link: { openOnClick: false, autolink: false } }),
      CodeInLinks,
      InlinePicture,
      SynchronousFocus,
      Placeholder.configure({ placeholder: label }),
    ],
    content: initial.content,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: { class: style.text ?? '', role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
      transformPastedHTML: simplifyPasted,
      handlePaste: (_view, event) => latest.current.take(event, event.clipboardData),
      handleDrop: (_view, event) => latest.current.take(event, event.dataTransfer),
      handleKeyDown: (_view, event) => {
        if (latest.current.onKey(event)) return true
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return false
        latest.current.onSend()
        return true
      },
    },
    onUpdate: ({ editor: current }) => latest.current.tell(current),
    onTransaction: ({ editor: current }) => setBegun(begunAt(current)),
    onBlur: () => setBegun(null),
  })
  const completion = useAutocomplete({
    begun,
    topics,
    onChoose: (text, { from, to }) => {
      setBegun(null)
      editor.chain().focus().insertContentAt({ from, to }, { type: 'text', text }).run()
    },
    onStop: () => setBegun(null),
  })
  latest.current = { take, tell, onSend, onKey: completion.onKey }
  // A compact editor replaces a plain text box: in the same commit, so that no key is lost. The other waits until its dialog is open.
  useLayoutEffect(() => {
    if (compact && focuses && !editor.isDestroyed) editor.commands.focus('end')
  }, [editor, compact, focuses])
  useEffect(() => {
    if (!compact && focuses && !editor.isDestroyed) editor.commands.focus('end')
  }, [editor, compact, focuses])
  useImperativeHandle(ref, () => ({
    insert: (text) => void editor.chain().focus().insertContent({ type: 'text', text }).run(),
    clear: () => void editor.commands.clearContent(true),
    focus: () => void editor.commands.focus(),
  }))
  return (
    <div className={style.editor} data-compact={compact || undefined}>
      <RichTextToolbar editor={editor} source={compact ? undefined : 'feed'} />
      <div className={style.around}>
        <EditorContent editor={editor} />
        {completion.list}
      </div>
    </div>
  )
}
