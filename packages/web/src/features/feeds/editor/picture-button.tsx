import { ImagePlus } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/button.tsx'
import { ACCEPTED } from './attachments.ts'

/** Selects images from this device. */
export const PictureButton = ({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) => {
  const { t } = useTranslation('feeds')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPTED}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <IconButton label={t('editor.picture')} onClick={() => input.current?.click()}>
        <ImagePlus />
      </IconButton>
    </>
  )
}
