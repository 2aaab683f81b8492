import { type Editor, useEditorState } from '@tiptap/react'
import { Bold, Code, Heading2, Heading3, Italic, Link, List, ListOrdered, SquareCode, TextQuote } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Group, Toolbar } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../ui/button.tsx'
import { usePictureTool } from './picture-tool.tsx'
import style from './rich-text-toolbar.module.css'

const TOOLS = [
  { name: 'bold', icon: Bold, active: 'bold', run: (editor: Editor) => editor.chain().focus().toggleBold().run() },
  { name: 'italic', icon: Italic, active: 'italic', run: (editor: Editor) => editor.chain().focus().toggleItalic().run() },
  { name: 'heading', icon: Heading2, active: 'h2', run: (editor: Editor) => editor.chain().focus().toggleHeading({ level: 2 }).run() },
  { name: 'subheading', icon: Heading3, active: 'h3', run: (editor: Editor) => editor.chain().focus().toggleHeading({ level: 3 }).run() },
  { name: 'bullets', icon: List, active: 'bulletList', run: (editor: Editor) => editor.chain().focus().toggleBulletList().run() },
  { name: 'numbers', icon: ListOrdered, active: 'orderedList', run: (editor: Editor) => editor.chain().focus().toggleOrderedList().run() },
  { name: 'quote', icon: TextQuote, active: 'blockquote', run: (editor: Editor) => editor.chain().focus().toggleBlockquote().run() },
  { name: 'code', icon: Code, active: 'code', run: (editor: Editor) => editor.chain().focus().toggleCode().run() },
  { name: 'codeBlock', icon: SquareCode, active: 'codeBlock', run: (editor: Editor) => editor.chain().focus().toggleCodeBlock().run() },
] as const

/** RichTextToolbar that short texts do not need. */
const LONG_TEXTS = ['heading', 'subheading', 'numbers', 'codeBlock']

const isActive = (editor: Editor, name: string) =>
  name === 'h2' || name === 'h3' ? editor.isActive('heading', { level: Number(name[1]) }) : editor.isActive(name)

const LinkForm = ({ editor, onDone }: { readonly editor: Editor; readonly onDone: () => void }) => {
  const { t } = useTranslation('feeds')
  const [address, setAddress] = useState<string>(() => editor.getAttributes('link')['href'] ?? 'https://')
  const set = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const href = /^[a-z]+:/i.test(address) ? address : `https://${address}`
    const chain = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && !editor.isActive('link'))
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
    else chain.setLink({ href }).run()
    onDone()
  }
  return (
    <div className={style.link}>
      <input
        type="url"
        className={style.address}
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && set(event)}
        aria-label={t('editor.linkUrl')}
        // biome-ignore lint/a11y/noAutofocus: rendered only after a click on the link button
        autoFocus
      />
      <Button kind="primary" onClick={set}>
        {t('editor.applyLink')}
      </Button>
      {editor.isActive('link') && (
        <Button
          kind="quiet"
          onClick={() => {
            editor.chain().focus().extendMarkRange('link').unsetLink().run()
            onDone()
          }}
        >
          {t('editor.removeLink')}
        </Button>
      )}
    </div>
  )
}

const Tool = ({
  label,
  pressed,
  onClick,
  children,
}: {
  readonly label: string
  readonly pressed: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}) => (
  <IconButton
    className={style.tool ?? ''}
    label={label}
    aria-pressed={pressed}
    onPointerDown={(event) => event.preventDefault()}
    onClick={onClick}
  >
    {children}
  </IconButton>
)

interface ToolsProps {
  readonly editor: Editor
  /** Media context for inline images. Undefined for short texts, which have none. */
  readonly source: 'feed' | 'course' | 'lesson' | undefined
}

/** The formatting toolbar. */
export const RichTextToolbar = ({ editor, source }: ToolsProps) => {
  const { t } = useTranslation('feeds')
  const [linking, setLinking] = useState(false)
  const picture = usePictureTool(editor, source ?? 'feed')
  const offered = TOOLS.filter(({ name }) => source || !LONG_TEXTS.includes(name))
  const active = useEditorState({
    editor,
    selector: ({ editor: current }) =>
      [...TOOLS.map(({ active: name }) => name), 'link'].filter((name) => isActive(current, name)).join(' '),
  }).split(' ')
  return (
    <>
      <Toolbar className={style.tools ?? ''} aria-label={t('editor.toolbar')}>
        <Group className={style.group ?? ''}>
          {offered.map(({ name, icon: Icon, active: mark, run }) => (
            <Tool key={name} label={t(`editor.${name}`)} pressed={active.includes(mark)} onClick={() => run(editor)}>
              <Icon />
            </Tool>
          ))}
          <Tool label={t('editor.link')} pressed={active.includes('link')} onClick={() => setLinking(!linking)}>
            <Link />
          </Tool>
          {source && picture.tool}
        </Group>
      </Toolbar>
      {linking && <LinkForm editor={editor} onDone={() => setLinking(false)} />}
      {picture.form}
    </>
  )
}
