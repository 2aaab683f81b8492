import { Smile } from 'lucide-react'
import { useState } from 'react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import style from './picker.module.css'

/** Until it has closed nothing else can be written in. */
const CLOSED_MS = 60

/** A small choice of signs, found by words of the reader's language. */
export const EmojiPicker = ({ onChoose }: { readonly onChoose: (emoji: string) => void }) => {
  const { t } = useTranslation(['feeds', 'emoji'])
  const [sought, setSought] = useState('')
  const words = sought.toLocaleLowerCase().trim()
  const found = t('emoji:list')
    .split('|')
    .filter((entry) => words === '' || entry.includes(words))
    .map((entry) => entry.split(' '))
  return (
    <DialogTrigger onOpenChange={() => setSought('')}>
      <Button className={style.trigger ?? ''} aria-label={t('writing.emoji')}>
        <Smile aria-hidden="true" />
      </Button>
      <Popover className={style.popover ?? ''} placement="top start">
        <Dialog className={style.dialog ?? ''} aria-label={t('writing.emoji')}>
          {({ close }) => (
            <>
              <input
                type="search"
                className={style.search}
                value={sought}
                onChange={(event) => setSought(event.currentTarget.value)}
                placeholder={t('writing.seekEmoji')}
                aria-label={t('writing.seekEmoji')}
              />
              <div className={style.grid}>
                {found.map(([emoji = '', name]) => (
                  <button
                    key={emoji}
                    type="button"
                    className={style.emoji}
                    aria-label={name}
                    title={name}
                    onClick={() => {
                      close()
                      setTimeout(() => onChoose(emoji), CLOSED_MS)
                    }}
                  >
                    {emoji}
                  </button>
                ))}
              </div>
              {found.length === 0 && <p className={style.none}>{t('writing.noEmoji')}</p>}
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
