import { EditorContent, useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '../../lib/optimistic.ts'
import { upload } from '../../lib/upload.ts'
import field from '../../ui/field.module.css'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { toast } from '../../ui/toasts.tsx'
import rich from '../feeds/composer/rich-editor.module.css'
import { RichTextToolbar } from '../feeds/composer/rich-text-toolbar.tsx'
import { CodeInLinks, InlinePicture, SynchronousFocus } from '../feeds/markdown/extensions.ts'
import { parseMarkdown } from '../feeds/markdown/parse.ts'
import { serializeMarkdown } from '../feeds/markdown/serialize.ts'
import style from './html-editor.module.css'

type Mode = 'rich' | 'markdown' | 'html'

/** Elements the rich text editor would drop; texts that contain them are edited as HTML. */
const BEYOND = /<(?:table|details|figure|dl|sub|sup|mark|small|kbd|h[1456])\b/i

interface Props {
  readonly label: string
  /** HTML */
  readonly value: string
  readonly source: 'course' | 'lesson'
  readonly onChange: (html: string) => void
}

const imagesOf = (data: DataTransfer | null) => [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))

/** An editor for long texts: rich text, Markdown or HTML. */
export const HtmlEditor = ({ label, value, source, onChange }: Props) => {
  const { t } = useTranslation('teaching')
  const id = useId()
  const [mode, setMode] = useState<Mode>(() => (BEYOND.test(value) ? 'html' : 'rich'))
  const [markdown, setMarkdown] = useState('')
  const take = (data: DataTransfer | null): boolean => {
    const files = imagesOf(data)
    for (const file of files)
      upload(file, source).then(
        ({ file_url: src }) => editor.chain().focus().setImage({ src, alt: '' }).run(),
        (error: unknown) => toast(errorMessage(error), 'failed'),
      )
    return files.length > 0
  }
  const editor = useEditor({
    extensions: [
      StarterKit.configure({ code: false, heading: { levels: [2, 3] }, link: { openOnClick: false } }),
      CodeInLinks,
      InlinePicture,
      SynchronousFocus,
    ],
    content: value,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: { class: `${rich.text} ${style.text}`, role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
      handlePaste: (_view, event) => take(event.clipboardData),
      handleDrop: (_view, event) => take(event.dataTransfer),
    },
    onUpdate: ({ editor: current }) => onChange(current.isEmpty ? '' : current.getHTML()),
  })
  const change = (to: Mode) => {
    if (mode === 'html') editor.commands.setContent(value, { emitUpdate: to !== 'html' })
    if (to === 'markdown') setMarkdown(serializeMarkdown(editor.getJSON()))
    setMode(to)
  }
  const write = (text: string) => {
    setMarkdown(text)
    editor.commands.setContent(parseMarkdown(text))
  }
  return (
    <div className={style.around}>
      <div className={style.head}>
        <label htmlFor={id} className={style.label}>
          {label}
        </label>
        <SegmentedControl
          label={t('editor.mode')}
          value={mode}
          options={(['rich', 'markdown', 'html'] as const).map((each) => ({ value: each, label: t(`editor.${each}`) }))}
          onChange={change}
        />
      </div>
      <div className={rich.editor} hidden={mode !== 'rich'}>
        <RichTextToolbar editor={editor} source={source} />
        <EditorContent editor={editor} className={style.content} />
      </div>
      {mode === 'markdown' && (
        <textarea
          id={id}
          className={`${field.input} ${field.area} ${style.source}`}
          value={markdown}
          onChange={(event) => write(event.currentTarget.value)}
        />
      )}
      {mode === 'html' && (
        <>
          <textarea
            id={id}
            className={`${field.input} ${field.area} ${style.source}`}
            value={value}
            spellCheck={false}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          {BEYOND.test(value) && <p className={field.hint}>{t('editor.htmlOnly')}</p>}
        </>
      )}
    </div>
  )
}
