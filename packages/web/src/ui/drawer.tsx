import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button.tsx'
import style from './drawer.module.css'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A sidebar on wide screens that becomes a drawer on narrow ones. */
export const Drawer = ({ title, onClose, children }: Props) => {
  const { t } = useTranslation()
  return (
    <ModalOverlay className={style.overlay ?? ''} isOpen isDismissable onOpenChange={(open) => open || onClose()}>
      <Modal className={style.modal ?? ''}>
        <AriaDialog className={style.drawer ?? ''}>
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
