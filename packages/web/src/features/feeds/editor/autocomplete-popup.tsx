import { type ReactNode, useState } from 'react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import style from './autocomplete-popup.module.css'

interface Props {
  readonly label: string
  readonly sign: ReactNode
  /** Accessible label of the search field. */
  readonly seek: string
  readonly children: (sought: string, close: () => void) => ReactNode
}

/** A popup to search for an item and insert it. */
export const AutocompletePopup = ({ label, sign, seek, children }: Props) => {
  const [sought, setSought] = useState('')
  return (
    <DialogTrigger onOpenChange={() => setSought('')}>
      <Button className={style.trigger ?? ''} aria-label={label}>
        {sign}
      </Button>
      <Popover className={style.popover ?? ''} placement="top start">
        <Dialog className={style.dialog ?? ''} aria-label={label}>
          {({ close }) => (
            <>
              <input
                type="search"
                className={style.search}
                value={sought}
                onChange={(event) => setSought(event.currentTarget.value)}
                placeholder={seek}
                aria-label={seek}
              />
              {children(sought, close)}
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
