import { Smile } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import style from './autocomplete-popup.module.css'
import { AutocompletePopup } from './autocomplete-popup.tsx'

/** Blocks other input until it is closed. */
const CLOSED_MS = 60

interface Props {
  readonly onChoose: (emoji: string) => void
}

const Signs = ({ sought, onChoose }: Props & { readonly sought: string }) => {
  const { t } = useTranslation(['feeds', 'emoji'])
  const words = sought.toLocaleLowerCase().trim()
  const found = t('emoji:list')
    .split('|')
    .filter((entry) => words === '' || entry.includes(words))
    .map((entry) => entry.split(' '))
  return (
    <>
      <div className={style.grid}>
        {found.map(([emoji = '', name]) => (
          <button key={emoji} type="button" className={style.emoji} aria-label={name} title={name} onClick={() => onChoose(emoji)}>
            {emoji}
          </button>
        ))}
      </div>
      {found.length === 0 && <p className={style.none}>{t('editor.noEmojiFound')}</p>}
    </>
  )
}

/** An emoji picker with keyword search in the user's language. */
export const EmojiPicker = ({ onChoose }: Props) => {
  const { t } = useTranslation('feeds')
  return (
    <AutocompletePopup label={t('editor.emoji')} sign={<Smile aria-hidden="true" />} seek={t('editor.searchEmoji')}>
      {(sought, close) => (
        <Signs
          sought={sought}
          onChoose={(emoji) => {
            close()
            setTimeout(() => onChoose(emoji), CLOSED_MS)
          }}
        />
      )}
    </AutocompletePopup>
  )
}
