import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button.tsx'
import style from './dialog.module.css'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly wide?: boolean
  /** Whether Escape and a click outside close it; false if input would be lost. */
  readonly lightly?: boolean
  readonly children: ReactNode
}

/** A modal dialog. The page behind it is inert. */
export const DialogModal = ({ title, onClose, wide = false, lightly = true, children }: DialogProps) => {
  const { t } = useTranslation()
  return (
    <ModalOverlay
      className={style.overlay ?? ''}
      isOpen
      isDismissable={lightly}
      isKeyboardDismissDisabled={!lightly}
      onOpenChange={(open) => open || onClose()}
    >
      <Modal className={style.modal ?? ''} data-wide={wide || undefined}>
        <AriaDialog className={style.dialog ?? ''}>
          <header className={style.head}>
            <Heading slot="title">{title}</Heading>
            <IconButton label={t('close')} onClick={onClose}>
              <X />
            </IconButton>
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
