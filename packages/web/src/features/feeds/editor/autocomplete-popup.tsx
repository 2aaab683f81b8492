import { type ReactNode, useState } from 'react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import style from './autocomplete-popup.module.css'

interface Props {
  readonly label: string
  readonly sign: ReactNode
  /** What the field says in which one looks for something. */
  readonly seek: string
  readonly children: (sought: string, close: () => void) => ReactNode
}

/** A small choice of things to put into a text, found by words. */
export const Picker = ({ label, sign, seek, children }: Props) => {
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
