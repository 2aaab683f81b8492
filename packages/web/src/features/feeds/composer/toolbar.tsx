import { BarChart3, FileCode2, PencilLine } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../ui/button.tsx'
import { EmojiPicker } from '../editor/emoji-picker.tsx'
import { GifPicker } from '../editor/gif-picker.tsx'
import { PictureButton } from '../editor/picture-button.tsx'
import type { TextInsertion } from '../editor/text-box.tsx'
import style from './composer.module.css'
import type { PostDraft } from './form-state.ts'

interface Props {
  /** The editor to insert into. */
  readonly box: RefObject<TextInsertion | null>
  readonly onFiles: (files: readonly File[]) => void
  readonly onGif: (gif: PostDraft['gif']) => void
  readonly survey: { readonly is: boolean; readonly add: () => void }
  readonly mode: { readonly inMarkdown: boolean; readonly switchMode: () => void } | undefined
}

/** Buttons for attachments, emoji, GIFs, surveys and the editor mode. */
export const ComposerToolbar = ({ box, onFiles, onGif, survey, mode }: Props) => {
  const { t } = useTranslation('feeds')
  return (
    <div className={style.bar}>
      <PictureButton onFiles={onFiles} />
      <EmojiPicker onChoose={(emoji) => box.current?.insert(emoji)} />
      <GifPicker onChoose={onGif} />
      <IconButton label={t('surveyEditor.add')} aria-pressed={survey.is} onClick={survey.add}>
        <BarChart3 />
      </IconButton>
      <span className={style.space} />
      {mode && (
        <Button
          kind="quiet"
          className={style.mode ?? ''}
          icon={mode.inMarkdown ? <PencilLine aria-hidden="true" /> : <FileCode2 aria-hidden="true" />}
          onClick={mode.switchMode}
        >
          <span className={style.modeWords}>{t(mode.inMarkdown ? 'editor.rich' : 'editor.markdown')}</span>
        </Button>
      )}
    </div>
  )
}
