import { lazy, Suspense } from 'react'
import type { DialogProps } from './modal.tsx'

/** Loaded lazily, because few visits open a dialog. */
const Modal = lazy(() => import('./modal.tsx').then(({ DialogModal }) => ({ default: DialogModal })))

/** A modal dialog. The page behind it is inert. */
export const Dialog = (props: DialogProps) => (
  <Suspense>
    <Modal {...props} />
  </Suspense>
)
