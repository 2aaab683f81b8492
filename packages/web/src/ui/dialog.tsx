import { lazy, Suspense } from 'react'
import type { DialogProps } from './modal.tsx'

/** Few visits open one: what it takes to hold the focus and the page behind comes with the first. */
const Modal = lazy(() => import('./modal.tsx').then(({ DialogModal }) => ({ default: DialogModal })))

/** Something that is to be done before anything else; the page behind it can neither be reached nor heard meanwhile. */
export const Dialog = (props: DialogProps) => (
  <Suspense>
    <Modal {...props} />
  </Suspense>
)
